import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { photoPresetNames } from '../../../schema/media/photo-presets.ts';
import { operations } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { flatDrawer } from '../../../transcoder/media/photo/flat.ts';
import { type Plane, planesOf } from '../../../transcoder/media/photo/planes.ts';
import type { View } from '../../../transcoder/model/photo-layers.ts';
import { canvasOf, unitOf } from '../../../transcoder/operations/photo/canvas.ts';
import { layerOf } from '../../../transcoder/operations/photo/layers.ts';
import { type Motion, pathOf } from '../../../transcoder/operations/photo/motion-presets.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-views-'));
  const scene = 'mandelbrot=s=1600x1200:start_scale=0.02:start_x=-0.745:start_y=0.1127';
  await ffmpeg('-f', 'lavfi', '-i', scene, '-frames:v', '1', 'scene.png');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: directory });

interface Size {
  width: number;
  height: number;
}

/** A view of a plane as ffmpeg draws it: enlarged to the plane's size with its filter for perspectives, then scaled. */
async function reference(plane: Plane, { x, y, across, down }: View, size: Size): Promise<Uint8Array> {
  const { pixels, first, stride, width, height } = plane;
  const rows = Array.from({ length: height }, (_, row) =>
    pixels.subarray(first + row * stride, first + row * stride + width),
  );
  await writeFile(join(directory, 'plane.raw'), Buffer.concat(rows));
  // The filter measures from the center of the first pixel to the center of the one after the last.
  const [left, top] = [x * width + across / 2 - 0.5, y * height + down / 2 - 0.5];
  const [right, bottom] = [left + across * width, top + down * height];
  const corners = `x0=${left}:y0=${top}:x1=${right}:y1=${top}:x2=${left}:y2=${bottom}:x3=${right}:y3=${bottom}`;
  const scaled = `scale=${size.width}:${size.height}:flags=bicubic`;
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${width}x${height}`, '-i', 'plane.raw'];
  const filters = `perspective=${corners}:interpolation=cubic:sense=source,${scaled}`;
  await ffmpeg(...raw, '-vf', filters, '-f', 'rawvideo', '-pix_fmt', 'gray', 'view.raw');
  return readFile(join(directory, 'view.raw'));
}

function psnr(a: Uint8Array, b: Uint8Array): number {
  expect(a).toHaveLength(b.length);
  let sum = 0;
  for (const [at, value] of a.entries()) sum += (value - (b[at] ?? 0)) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / a.length));
}

interface Case {
  preset: Motion['preset'];
  photo?: Size;
  size?: Size;
  fill?: 'cover' | 'contain' | 'blur';
  zoom?: number;
}

const cases: Case[] = [
  ...photoPresetNames.filter((preset) => preset !== 'parallax').map((preset) => ({ preset })),
  { preset: 'ken_burns', size: { width: 322, height: 186 } },
  { preset: 'push_diagonal', size: { width: 270, height: 482 } },
  { preset: 'zoom_in', zoom: 3 },
  { preset: 'zoom_out', photo: { width: 333, height: 217 } },
  { preset: 'zoom_in', fill: 'contain' },
  { preset: 'drift', fill: 'blur', size: { width: 360, height: 360 }, zoom: 1.6 },
  { preset: 'pan_right', photo: { width: 6000, height: 900 }, size: { width: 480, height: 270 } },
];

test.each(sampled(cases, 3))('%j looks as ffmpeg draws it', async (drawn) => {
  const { preset, photo = { width: 1600, height: 1200 }, size = { width: 480, height: 270 } } = drawn;
  const { fill = 'cover', zoom = 1.25 } = drawn;
  const unit = unitOf(photo, size, fill);
  const path = pathOf({
    ...{ preset, focus: { x: 0.4, y: 0.55 }, zoom: { start: 1, end: zoom } },
    ...{ reach: { x: photo.width / unit.width, y: photo.height / unit.height } },
    ...{ easing: 'ease_in_out' as const, duration: 4, index: 0, seed: 3 },
  });
  const input = operations.photo_animate.input.parse({ photo_url: 'https://media.example.com/a', fill });
  const canvas = canvasOf(photo, size, fill, path);
  const picture = {
    source: 0,
    stream: 0,
    size: photo,
    orientation: 1 as const,
    colors: null,
    clear: false,
  };
  const frames = 120;
  const own = { index: 0, preset, picture, path, found: null, frames, at: 0, overlap: 0 };
  const layer = layerOf(own, { size, input }, 0, frames);
  const filters = `scale=${canvas.size.width}:${canvas.size.height},noise=alls=8:all_seed=1,format=yuv420p`;
  await ffmpeg('-i', 'scene.png', '-vf', filters, '-c:v', 'pgmyuv', 'canvas.pgm');
  const planes = planesOf(await readFile(join(directory, 'canvas.pgm')));
  const draw = flatDrawer(size, layer.views, planes);
  for (const frame of [0, 47, 119]) {
    // Cr is drawn as Cb is.
    for (const [at, pixels] of draw(frame).slice(0, 2).entries()) {
      const [plane, view] = [planes[at], layer.views[frame]];
      if (!plane || !view) throw new Error('a plane and a view');
      const half = at === 0 ? 1 : 2;
      const made = await reference(plane, view, { width: size.width / half, height: size.height / half });
      expect(psnr(pixels, made)).toBeGreaterThan(50);
    }
  }
});
