import { Motion } from '../motion.ts';
import { logarithmicBands, quickLooks, Spectrum } from '../spectrum.ts';
import { HIGHEST, LOWEST, type MakeStyle } from '../stage.ts';

const UNLIT = 0.09;

export const dots: MakeStyle = ({ mask, scene, sound, box, unit, frame, endOf }) => {
  const bands = logarithmicBands(scene.bars, LOWEST, HIGHEST);
  const spectrum = new Spectrum(sound, bands, { ...scene, looks: quickLooks });
  const motion = new Motion(bands.length, { frame, smoothing: scene.smoothing });
  const pitch = box.width / bands.length;
  const rows = Math.max(2, Math.floor(box.height / pitch));
  const [radius, lit] = [pitch * 0.29, pitch * 0.38];
  const placeOf = (column: number, row: number): [number, number] => [
    box.x + pitch * (column + 0.5),
    box.y + box.height - pitch * (row + 0.5),
  ];
  for (const column of bands.keys()) {
    for (let row = 0; row < rows; row++) {
      const [x, y] = placeOf(column, row);
      mask.disc(x, y, radius, UNLIT);
    }
  }
  const unlit = mask.pixels.slice();
  return {
    glow: { reach: 24 * unit, strength: 0.45 },
    draw: (at) => {
      motion.follow(spectrum.measure(endOf(at)));
      mask.pixels.set(unlit);
      for (const column of bands.keys()) {
        const height = (motion.levels[column] ?? 0) * rows;
        const peak = Math.ceil((motion.peaks[column] ?? 0) * rows) - 1;
        for (let row = 0; row < rows; row++) {
          const share = Math.min(1, Math.max(0, height - row));
          const [x, y] = placeOf(column, row);
          if (share > 0) {
            mask.disc(x, y, radius + (lit - radius) * share, UNLIT + (1 - UNLIT) * share);
          } else if (row === peak) {
            mask.disc(x, y, radius, 0.6);
          }
        }
      }
    },
  };
};
