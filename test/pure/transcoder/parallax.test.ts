import { describe, expect, test } from 'vitest';
import { deepDrawer } from '../../../transcoder/media/photo/deep.ts';
import { depthGrid } from '../../../transcoder/media/photo/depth-grid.ts';
import { planesOf } from '../../../transcoder/media/photo/planes.ts';
import type { DeepLayer } from '../../../transcoder/model/photo-layers.ts';

const [width, height] = [96, 64];
const size = { width, height };

/** A picture whose luma rises by two from column to column; its colors are grey. */
function ramp() {
  const head = Buffer.from(`P5\n${width} ${(height * 3) / 2}\n255\n`);
  const luma = Buffer.from(Array.from({ length: width * height }, (_, at) => 20 + 2 * (at % width)));
  return planesOf(Buffer.concat([head, luma, Buffer.alloc((width * height) / 2, 128)]));
}

const whole = { x: 0, y: 0, across: 1, down: 1, dx: 0, dy: 0 };
const middle = { x: 0.5, y: 0.5 };

/** The luma and chroma of one view. */
function drawn(
  view: DeepLayer['views'][number],
  map: Float32Array,
  still = middle,
): [Uint8Array, ...Uint8Array[]] {
  const depth = { file: 'depth.raw', width: 12, height: 8 };
  const [luma, ...chroma] = deepDrawer(size, { views: [view], depth, still }, ramp(), map)(0);
  return [luma ?? new Uint8Array(), ...chroma];
}

/** The upper half far, the lower half near. */
const halves = Float32Array.from({ length: 96 }, (_, at) => (at < 48 ? 1 : 9));

describe('a photo with depth', () => {
  test('that does not move is the picture itself', () => {
    const [frame, ...chroma] = drawn(whole, halves);
    expect(frame).toHaveLength(width * height);
    for (let at = 0; at < width * height; at++) expect(frame[at]).toBe(20 + 2 * (at % width));
    for (const plane of chroma) expect(plane).toEqual(new Uint8Array((width * height) / 4).fill(128));
    expect(chroma).toHaveLength(2);
  });

  test('moves what is near against what is far, by what is asked for to a fraction of a pixel', () => {
    const step = 3.5 / width;
    const [frame] = drawn({ ...whole, dx: step }, halves);
    const at = (x: number, y: number) => frame[y * width + x] ?? 0;
    const [far, near] = [at(48, 6) - (20 + 96), at(48, 58) - (20 + 96)];
    expect(near - far).toBe(7);
  });

  test('stands where it ends, whatever view is drawn', () => {
    const [frame] = drawn({ ...whole, dx: 0.05 }, halves, { x: 0.5, y: 0.9 });
    expect(frame[58 * width + 48]).toBe(20 + 96);
    expect(frame[6 * width + 48]).not.toBe(20 + 96);
  });

  test('leaves no hole and no jump where depths meet', () => {
    const [frame] = drawn({ ...whole, dx: 0.05 }, halves);
    for (let row = 0; row < height; row++) {
      const line = frame.subarray(row * width, (row + 1) * width);
      expect(Math.min(...line)).toBeGreaterThanOrEqual(20);
      for (let column = 1; column < width; column++) {
        expect(Math.abs((line[column] ?? 0) - (line[column - 1] ?? 0))).toBeLessThan(8);
      }
    }
  });

  test('of one depth throughout does not move against itself', () => {
    const flat = new Float32Array(96).fill(4);
    const [frame] = drawn({ ...whole, dx: 0.05, dy: 0.05 }, flat);
    for (let at = 0; at < width * height; at++) expect(frame[at]).toBe(20 + 2 * (at % width));
  });
});

test('depths go from 0 to 1 whatever the net calls them, and near things grow', () => {
  const map = Float32Array.from({ length: 64 }, (_, at) => (at % 8 >= 4 ? 300 : -20));
  const { depths } = depthGrid(map, { width: 8, height: 8 }, 33, 9);
  expect([depths[0], depths[32]]).toEqual([0, 1]);
  const before = depths.slice(0, 33).findIndex((depth) => depth > 0.5);
  expect(before).toBeLessThan(17);
});
