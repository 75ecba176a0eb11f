import { greatest, least } from '../../../model/numbers/min-max.ts';
import { Motion } from '../motion.ts';
import { logarithmicBands, quickLooks, Spectrum } from '../spectrum.ts';
import { HIGHEST, LOWEST, type MakeStyle } from '../stage.ts';

export const spectrum: MakeStyle = ({ mask, scene, sound, box, unit, frame, endOf }) => {
  const bands = logarithmicBands(scene.bars, LOWEST, HIGHEST);
  const measured = new Spectrum(sound, bands, { ...scene, looks: quickLooks });
  const motion = new Motion(bands.length, { frame, smoothing: scene.smoothing });
  const columns = Math.round(box.width);
  const [curve, ceiling] = [new Float32Array(columns), new Float32Array(columns)];
  const floor = box.y + box.height - 2 * unit;
  const most = box.height - 6 * unit;
  const step = Math.max(1, Math.round(2 * unit));

  function line(heights: Float32Array): Float32Array {
    const count = Math.floor((columns - 1) / step) + 1;
    const points = new Float32Array(2 * count);
    for (let index = 0; index < count; index++) {
      points[2 * index] = box.x + index * step;
      points[2 * index + 1] = floor - (heights[index * step] ?? 0);
    }
    return points;
  }

  return {
    glow: { reach: 34 * unit, strength: 0.5 },
    draw: (at) => {
      motion.follow(measured.measure(endOf(at)));
      through(motion.levels, curve, most);
      through(motion.peaks, ceiling, most);
      fill(mask.pixels, mask.width, { left: box.x, floor, most }, curve);
      mask.polyline(line(ceiling), 0.7 * unit, 0.4);
      mask.polyline(line(curve), 1.7 * unit, 1);
    },
  };
};

/** Interpolates the levels to a height for each column, with a curve that hardly overshoots. */
function through(levels: Float32Array, heights: Float32Array, most: number): void {
  const count = levels.length;
  const level = (index: number) => (index < 0 || index >= count ? 0 : (levels[index] ?? 0));
  for (let column = 0; column < heights.length; column++) {
    const place = ((column + 0.5) / heights.length) * (count + 1) - 1;
    const index = Math.floor(place);
    const t = place - index;
    const a = level(index - 1);
    const b = level(index);
    const c = level(index + 1);
    const d = level(index + 2);
    const value = b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
    heights[column] = Math.min(1, Math.max(0, value)) * most;
  }
}

/** Columns that are filled together where they are all under the curve. */
const TOGETHER = 32;

/** Fills the area under the curve, denser towards the curve. */
function fill(
  pixels: Uint8Array,
  width: number,
  { left, floor, most }: { left: number; floor: number; most: number },
  heights: Float32Array,
): void {
  const bottom = Math.floor(floor);
  const groups = Array.from({ length: Math.ceil(heights.length / TOGETHER) }, (_, index) => {
    const from = index * TOGETHER;
    const group = heights.subarray(from, from + TOGETHER);
    return { from, to: from + group.length, lowest: least(group), highest: greatest(group) };
  });
  for (let row = Math.max(0, Math.ceil(floor - most)); row < bottom; row++) {
    const height = floor - row - 0.5;
    const value = 255 * (0.1 + 0.5 * (height / most) ** 0.8);
    const start = row * width + Math.round(left);
    for (const { from, to, lowest, highest } of groups) {
      if (highest <= height) continue;
      if (lowest >= height + 1) {
        pixels.fill(value, start + from, start + to);
        continue;
      }
      for (let column = from; column < to; column++) {
        const depth = (heights[column] ?? 0) - height;
        if (depth > 0) pixels[start + column] = value * Math.min(1, depth);
      }
    }
  }
}
