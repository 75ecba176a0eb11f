import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readColor } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-full-range-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const videos = {
  'h264.mp4': ['-pix_fmt', 'yuvj420p', '-c:v', 'libx264', '-preset', 'ultrafast'],
  'hevc.mp4': ['-pix_fmt', 'yuvj420p', '-c:v', 'libx265', '-x265-params', 'log-level=none:range=full'],
  'vp9.webm': ['-pix_fmt', 'yuv420p', '-color_range', 'pc', '-c:v', 'libvpx-vp9', '-b:v', '1M'],
};

beforeAll(async () => {
  for (const [name, args] of Object.entries(videos)) {
    const pattern = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=30:d=2', '-vf', 'scale=out_range=full'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...pattern, ...args, join(directory, name)]);
  }
}, 60_000);

const whole = { x: 0, y: 0, width: 1, height: 1 };
const bar = { x: 0, y: 0, width: 1, height: 0.02 };
const brightest = ({ r, g, b }: { r: number; g: number; b: number }) => Math.max(r, g, b);

describe('in a full-range video', () => {
  test.each(
    sampled(
      [
        ['h264.mp4', 'h264'],
        ['h264.mp4', 'hevc'],
        ['hevc.mp4', 'hevc'],
        ['hevc.mp4', 'h264'],
        ['vp9.webm', 'vp9'],
      ],
      3,
    ),
  )('a fade begins in black: %s to %s', async (name, codec) => {
    const format = name.endsWith('webm') ? 'webm' : 'mp4';
    const done = await operate('cut', join(directory, name), {
      start: 0,
      end: 1,
      fade_in: 0.5,
      codec,
      format,
    });
    expect(brightest(await readColor(done.path, whole))).toBeLessThan(4);
  });

  test.each(
    sampled(
      [
        ['transcode', { width: 160, height: 160 }, 0],
        ['crop', { aspect_ratio: '1:1', fill: 'pad' }, 0],
        ['crop', { aspect_ratio: '1:1', fill: 'pad', background: '#ffffff' }, 255],
      ] as const,
      3,
    ),
  )('bars have their level: %s %j', async (name, request, level) => {
    const done = await operate(name, join(directory, 'h264.mp4'), request);
    const { r, g, b } = await readColor(done.path, bar);
    for (const value of [r, g, b]) expect(Math.abs(value - level)).toBeLessThan(4);
  });
});
