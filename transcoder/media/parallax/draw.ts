import { readFileSync } from 'node:fs';
import type { Shot } from '../../model/parallax-shot.ts';
import { type DepthGrid, depthGrid } from './depth-grid.ts';
import { type Plane, planesOf } from './planes.ts';

/** Pixels between two grid points. */
const STEP = 4;

/** Reads the files of a shot and returns its drawer. */
export function openShot(shot: Shot, picture: string, depth: string): (frame: number) => Uint8Array {
  const bytes = readFileSync(depth);
  const map = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  return shotDrawer(shot, planesOf(readFileSync(picture)), map);
}

/**
 * Draws frames as yuv420p. Each pixel is sampled from the source position of the depth visible there, with bilinear
 * interpolation. Whatever is as near as the centre of the last view does not move.
 */
export function shotDrawer(
  shot: Shot,
  planes: readonly Plane[],
  map: Float32Array,
): (frame: number) => Uint8Array {
  const { width, height, views } = shot;
  const [luma] = planes;
  if (!luma || map.length !== shot.depth.width * shot.depth.height)
    throw new Error('the shot and its depth map differ in size');
  const grid = depthGrid(
    map,
    shot.depth,
    Math.ceil(luma.width / STEP) + 1,
    Math.ceil(luma.height / STEP) + 1,
  );
  const last = views.at(-1);
  const pivot = last ? depthAt(grid, last.x + last.across / 2, last.y + last.down / 2) : 0.5;
  const frame = new Uint8Array((width * height * 3) / 2);
  const parts = [
    frame.subarray(0, width * height),
    frame.subarray(width * height, (width * height * 5) / 4),
    frame.subarray((width * height * 5) / 4),
  ];
  return (index) => {
    const view = views[index];
    if (!view) throw new Error(`a shot has no frame ${index}`);
    for (const [at, plane] of planes.entries()) {
      const half = at === 0 ? 1 : 2;
      const into = parts[at];
      if (into) bend(plane, grid, pivot, view, into, width / half, height / half);
    }
    return frame;
  };
}

function depthAt({ width, height, depths }: DepthGrid, x: number, y: number): number {
  return depths[Math.round(y * (height - 1)) * width + Math.round(x * (width - 1))] ?? 0;
}

function bend(
  plane: Plane,
  grid: DepthGrid,
  pivot: number,
  view: Shot['views'][number],
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
