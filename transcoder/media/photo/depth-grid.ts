import { greatest } from '../../model/numbers/min-max.ts';
/** Depths on a grid over a picture, from 0 (farthest) to 1 (nearest); its outer points lie on the picture's edges. */
export interface DepthGrid {
  width: number;
  height: number;
  depths: Float32Array;
}

/** Quantiles used as the farthest and nearest depth, which makes the range robust against outliers. */
const [FAR, NEAR] = [0.02, 0.98];

/**
 * Resamples the network's depth map to a grid. Near areas grow by one point and edges become slopes: the picture bends there
 * instead of tearing.
 */
export function depthGrid(
  map: Float32Array,
  size: { width: number; height: number },
  width: number,
  height: number,
): DepthGrid {
  const sorted = map.toSorted();
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(FAR), at(NEAR)];
  const reach = high - low;
  const depths = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [(column / (width - 1)) * size.width - 0.5, (row / (height - 1)) * size.height - 0.5];
      const value = reach > 0 ? (between(map, size, x, y) - low) / reach : 0.5;
      depths[row * width + column] = Math.min(1, Math.max(0, value));
    }
  }
  const grown = neighbours(depths, width, height, (near) => greatest(near));
  const soft = (values: Float32Array) =>
    neighbours(values, width, height, (near) => near.reduce((sum, value) => sum + value, 0) / near.length);
  return { width, height, depths: soft(soft(grown)) };
}

function between(
  map: Float32Array,
  { width, height }: { width: number; height: number },
  x: number,
  y: number,
): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const pixel = (column: number, row: number) =>
    map[Math.min(height - 1, Math.max(0, row)) * width + Math.min(width - 1, Math.max(0, column))] ?? 0;
  const across = (row: number) => pixel(left, row) + (pixel(left + 1, row) - pixel(left, row)) * (x - left);
  return across(top) + (across(top + 1) - across(top)) * (y - top);
}

/** Combines each point with its neighbours. */
function neighbours(
  values: Float32Array,
  width: number,
  height: number,
  of: (near: number[]) => number,
): Float32Array {
  const result = new Float32Array(values.length);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const near: number[] = [];
      for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x++) {
          near.push(values[y * width + x] ?? 0);
        }
      }
      result[row * width + column] = of(near);
    }
  }
  return result;
}
