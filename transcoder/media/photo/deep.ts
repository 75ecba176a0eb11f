import type { DeepLayer } from '../../model/photo-layers.ts';
import { type DepthGrid, depthGrid } from './depth-grid.ts';
import type { Plane } from './planes.ts';

/** Pixels between two grid points. */
const STEP = 4;

/**
 * Draws views of a picture with depth as planes of yuv420p, which stay until the next view is drawn. Each pixel is sampled from
 * the source position of the depth visible there, with bilinear interpolation. Whatever is as near as the point `still` does not
 * move.
 */
export function deepDrawer(
  { width, height }: { width: number; height: number },
  { views, depth, still }: Pick<DeepLayer, 'views' | 'depth' | 'still'>,
  planes: readonly [Plane, Plane, Plane],
  map: Float32Array,
): (frame: number) => Uint8Array[] {
  const [luma] = planes;
  if (map.length !== depth.width * depth.height) throw new Error('a photo and its depth map differ in size');
  const grid = depthGrid(map, depth, Math.ceil(luma.width / STEP) + 1, Math.ceil(luma.height / STEP) + 1);
  const pivot = depthAt(grid, still.x, still.y);
  const parts = planes.map((plane, at) => {
    const half = at === 0 ? 1 : 2;
    const size = { width: width / half, height: height / half };
    return { plane, ...size, into: new Uint8Array(size.width * size.height) };
  });
  return (index) => {
    const view = views[index];
    if (!view) throw new Error(`a photo has no view ${index}`);
    return parts.map(({ plane, into, width, height }) => {
      bend(plane, grid, pivot, view, into, width, height);
      return into;
    });
  };
}

function depthAt({ width, height, depths }: DepthGrid, x: number, y: number): number {
  return depths[Math.round(y * (height - 1)) * width + Math.round(x * (width - 1))] ?? 0;
}

function bend(
  plane: Plane,
  grid: DepthGrid,
  pivot: number,
  view: DeepLayer['views'][number],
  into: Uint8Array,
  width: number,
  height: number,
): void {
  const { pixels, stride } = plane;
  const depths = new Float32Array(grid.width + 1);
  const [right, bottom] = [plane.width - 1, plane.height - 1];
  const [pushX, pushY] = [view.dx * plane.width, view.dy * plane.height];
  for (let row = 0; row < height; row++) {
    const v = view.y + ((row + 0.5) / height) * view.down;
    depthsAlong(grid, v, depths);
    const y0 = v * plane.height - 0.5 - pivot * pushY;
    const start = row * width;
    for (let column = 0; column < width; column++) {
      const u = view.x + ((column + 0.5) / width) * view.across;
      const place = u * (grid.width - 1);
      const point = place | 0;
      const here = depths[point] ?? 0;
      const depth = here + ((depths[point + 1] ?? here) - here) * (place - point);
      let x = u * plane.width - 0.5 + (depth - pivot) * pushX;
      let y = y0 + depth * pushY;
      x = Math.min(right, Math.max(0, x));
      y = Math.min(bottom, Math.max(0, y));
      const [left, top] = [x | 0, y | 0];
      const at = plane.first + top * stride + left;
      const below = top < bottom ? at + stride : at;
      const nextColumn = left < right ? 1 : 0;
      const [fx, fy] = [x - left, y - top];
      const [a = 0, b = 0, c = 0, d = 0] = [
        pixels[at],
        pixels[at + nextColumn],
        pixels[below],
        pixels[below + nextColumn],
      ];
      const upper = a + (b - a) * fx;
      into[start + column] = upper + (c + (d - c) * fx - upper) * fy + 0.5;
    }
  }
}

/** Depths along one row, interpolated between two rows of the grid. */
function depthsAlong({ width, height, depths }: DepthGrid, v: number, into: Float32Array): void {
  const place = Math.min(height - 1, Math.max(0, v * (height - 1)));
  const upper = Math.min(height - 2, Math.floor(place));
  const share = place - upper;
  for (let column = 0; column < width; column++) {
    const a = depths[upper * width + column] ?? 0;
    into[column] = a + ((depths[(upper + 1) * width + column] ?? a) - a) * share;
  }
  into[width] = into[width - 1] ?? 0;
}
