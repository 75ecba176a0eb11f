import { Motion } from '../motion.ts';
import { logarithmicBands, quickLooks, Spectrum } from '../spectrum.ts';
import { HIGHEST, LOWEST, type MakeStyle } from '../stage.ts';

export const mirror: MakeStyle = ({ mask, scene, sound, box, unit, frame, endOf }) => {
  const count = Math.ceil(scene.bars / 2);
  const bands = logarithmicBands(count, LOWEST, HIGHEST);
  const spectrum = new Spectrum(sound, bands, { ...scene, looks: quickLooks });
  const motion = new Motion(count, { frame, smoothing: scene.smoothing });
  const pitch = box.width / (2 * count);
  const wide = Math.max(1, pitch * 0.58);
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  const least = Math.min(wide / 2, 3 * unit);
  return {
    glow: { reach: 28 * unit, strength: 0.45 },
    draw: (at) => {
      motion.follow(spectrum.measure(endOf(at)));
      for (const index of bands.keys()) {
        const half = Math.max(least, ((motion.levels[index] ?? 0) ** 1.15 * box.height) / 2);
        for (const side of [-1, 1]) {
          const x = middleX + side * pitch * (index + 0.5);
          mask.roundRect(x - wide / 2, middleY - half, x + wide / 2, middleY + half, wide / 2, 1);
        }
      }
    },
  };
};
