import { RING_INSIDE } from '../../../model/numbers/ring-inside.ts';
import { Motion } from '../motion.ts';
import { logarithmicBands, quickLooks, Spectrum } from '../spectrum.ts';
import { HIGHEST, LOWEST, type MakeStyle } from '../stage.ts';

export const ring: MakeStyle = ({ mask, scene, sound, box, unit, frame, endOf }) => {
  const bands = logarithmicBands(scene.bars, LOWEST, HIGHEST);
  const spectrum = new Spectrum(sound, bands, { ...scene, looks: quickLooks });
  const motion = new Motion(bands.length, { frame, smoothing: scene.smoothing });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const whole = Math.min(box.width, box.height) / 2;
  const inner = whole * RING_INSIDE + 10 * unit;
  const thick = Math.max(0.6, ((Math.PI * inner) / bands.length) * 0.29);
  const most = whole - inner - 2 * thick;
  mask.circle(x, y, inner - 6 * unit, 1.6 * unit, 0.55);
  const circle = mask.pixels.slice();
  return {
    glow: { reach: 30 * unit, strength: 0.45 },
    draw: (at) => {
      motion.follow(spectrum.measure(endOf(at)));
      mask.pixels.set(circle);
      for (const index of bands.keys()) {
        const length = (motion.levels[index] ?? 0) * most;
        const peak = (motion.peaks[index] ?? 0) * most;
        for (const side of [-1, 1]) {
          const angle = Math.PI / 2 + (side * Math.PI * (index + 0.5)) / bands.length;
          const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
          const [from, to] = [inner + thick, inner + thick + length];
          mask.capsule(x + from * dx, y + from * dy, x + to * dx, y + to * dy, thick, 1);
          if (peak < length + 4 * unit + 2 * thick) continue;
          const out = from + peak;
          mask.disc(x + out * dx, y + out * dy, thick * 0.6, 0.7);
        }
      }
    },
  };
};
