import { greatest } from '../../model/numbers/min-max.ts';
import type { Spot } from '../../model/subject.ts';
import type { Picture } from './picture.ts';

/** Pixels of the picture per cell of a grid. */
const CELL = 8;
/** Contrast of a cell to the whole picture, 0–255, below which nothing stands out. */
const LEAST_CONTRAST = 12;
/** What a cell that stands still counts compared with one that changes. */
const STILL = 0.15;
/** A change by fewer levels than this is noise. */
const NOISE = 6;
/** If more of the picture changes than this, the camera moves. */
const CAMERA = 0.4;

/** Mean colors of the cells of a picture: red, green and blue of each, row by row. */
export interface Grid {
  width: number;
  height: number;
  colors: Float32Array;
}

export function gridOf({ width, height, pixels }: Picture): Grid {
  const [across, down] = [Math.max(1, Math.floor(width / CELL)), Math.max(1, Math.floor(height / CELL))];
  const colors = new Float32Array(across * down * 3);
  const [wide, high] = [Math.min(CELL, width), Math.min(CELL, height)];
  for (let row = 0; row < down * high; row++) {
    const line = Math.floor(row / high) * across;
    for (let column = 0; column < across * wide; column++) {
      const from = (row * width + column) * 3;
      const to = (line + Math.floor(column / wide)) * 3;
      for (let channel = 0; channel < 3; channel++) {
        (colors[to + channel] as number) += (pixels[from + channel] as number) / (wide * high);
      }
    }
  }
  return { width: across, height: down, colors };
}

/** Mean change of a cell between two grids of the same size, in levels. */
export function changeBetween(before: Grid, after: Grid): number {
  let sum = 0;
  for (let at = 0; at < after.colors.length; at++) {
    sum += Math.abs((after.colors[at] as number) - (before.colors[at] as number));
  }
  return sum / Math.max(1, after.colors.length);
}

/**
 * The middle of what stands out: cells whose color is far from the mean of the picture, above all those that move.
 * https://doi.org/10.1109/CVPR.2009.5206596
 * @param crop What is seen around the middle, as shares of the picture's sides.
 * @returns null if nothing stands out.
 */
export function salientSpot(
  grid: Grid,
  before: Grid | null,
  crop: { width: number; height: number },
): Spot | null {
  const cells = grid.width * grid.height;
  const mean = [0, 1, 2].map((channel) => {
    let sum = 0;
    for (let cell = 0; cell < cells; cell++) sum += grid.colors[cell * 3 + channel] as number;
    return sum / cells;
  });
  const distanceFrom = (cell: number, color: (channel: number) => number) =>
    Math.hypot(...[0, 1, 2].map((channel) => (grid.colors[cell * 3 + channel] as number) - color(channel)));
  const contrast = Array.from({ length: cells }, (_, cell) =>
    distanceFrom(cell, (channel) => mean[channel] ?? 0),
  );
  const moved = Array.from({ length: cells }, (_, cell) =>
    before
      ? Math.max(0, distanceFrom(cell, (channel) => before.colors[cell * 3 + channel] as number) - NOISE)
      : 0,
  );
  const isCamera = moved.filter((levels) => levels > 0).length > CAMERA * cells;
  const most = isCamera ? 0 : greatest(moved);
  const typical = contrast.reduce((sum, one) => sum + one, 0) / cells;
  const weights = contrast.map((one, cell) => {
    const outstanding = Math.max(0, one - typical);
    return outstanding * (STILL + (most > 0 ? (moved[cell] as number) / most : 0));
  });
  if (greatest(contrast) - typical < LEAST_CONTRAST) return null;
  return {
    x: bestAlong(grid.width, crop.width, (x) => sumOf(grid.height, (y) => weights[y * grid.width + x] ?? 0)),
    y: bestAlong(grid.height, crop.height, (y) => sumOf(grid.width, (x) => weights[y * grid.width + x] ?? 0)),
  };
}

function sumOf(count: number, value: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += value(index);
  return sum;
}

/** The middle of the stretch of `part` of a side that has the greatest weight, most of it in its middle. */
function bestAlong(cells: number, part: number, weightAt: (cell: number) => number): number {
  const weights = Array.from({ length: cells }, (_, cell) => weightAt(cell));
  const half = Math.max(1, (part * cells) / 2);
  const scoreAt = (middle: number) =>
    weights.reduce((sum, weight, cell) => sum + weight * Math.max(0, 1 - ((cell - middle) / half) ** 2), 0);
  const scores = Array.from({ length: cells }, (_, middle) => scoreAt(middle));
  const best = scores.indexOf(greatest(scores));
  // The center of gravity of what this stretch shows is finer than a cell.
  let [sum, all] = [0, 0];
  weights.forEach((weight, cell) => {
    const own = weight * Math.max(0, 1 - ((cell - best) / half) ** 2);
    sum += own * (cell + 0.5);
    all += own;
  });
  return all > 0 ? sum / all / cells : 0.5;
}
