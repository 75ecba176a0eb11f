import { Motion } from '../motion.ts';
import { logarithmicBands, quickLooks, Spectrum } from '../spectrum.ts';
import { HIGHEST, LOWEST, type MakeStyle } from '../stage.ts';

/** Share of the height used by the bars; their reflection uses the rest. */
const FLOOR = 0.84;
const REFLECTION = 0.2;

export const bars: MakeStyle = ({ mask, scene, sound, box, unit, frame, endOf }) => {
  const bands = logarithmicBands(scene.bars, LOWEST, HIGHEST);
  const spectrum = new Spectrum(sound, bands, { ...scene, looks: quickLooks });
  const motion = new Motion(bands.length, { frame, smoothing: scene.smoothing });
  const pitch = box.width / bands.length;
  const wide = Math.max(1, pitch * 0.66);
  const floor = box.y + box.height * FLOOR;
  const most = box.height * FLOOR - 4 * unit;
  const least = Math.min(wide, 4 * unit);
  return {
    glow: { reach: 26 * unit, strength: 0.4 },
    draw: (at) => {
      motion.follow(spectrum.measure(endOf(at)));
      for (const index of bands.keys()) {
        const left = box.x + pitch * index + (pitch - wide) / 2;
        const height = Math.max(least, (motion.levels[index] ?? 0) * most);
        mask.roundRect(left, floor - height, left + wide, floor, wide / 2, 1);
        const below = floor + 3 * unit;
        const depth = Math.min(height * 0.3, box.y + box.height - below);
        mask.roundRect(left, below, left + wide, below + depth, wide / 2, REFLECTION);
        const peak = (motion.peaks[index] ?? 0) * most;
        if (peak < height + 3 * unit) continue;
        const top = floor - peak - 3 * unit;
        mask.roundRect(left, top, left + wide, top + 2.4 * unit, 1.2 * unit, 0.85);
      }
    },
  };
};
