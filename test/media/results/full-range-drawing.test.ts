import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { greatest, least } from '../../../transcoder/model/numbers/min-max.ts';
import { readColor } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-full-range-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const videos = {
  'h264.mp4': ['-pix_fmt', 'yuvj420p', '-c:v', 'libx264', '-preset', 'ultrafast'],
  'hevc.mp4': ['-pix_fmt', 'yuvj420p', '-c:v', 'libx265', '-x265-params', 'log-level=none:range=full'],
  'deep.mp4': ['-pix_fmt', 'yuv420p10le', '-c:v', 'libx265', '-x265-params', 'log-level=none:range=full'],
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

/** The darkest and the brightest luma of a frame, in levels of 255. */
async function levelsAt(path: string, frame: number): Promise<[number, number]> {
  const raw = join(directory, 'luma.raw');
  const chosen = [
    '-vf',
    `select=eq(n\\,${frame}),format=rgb24,format=gray`,
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
  ];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', path, ...chosen, raw]);
  const luma = await readFile(raw);
  return [least(luma), greatest(luma)];
}

describe('in a full-range video', () => {
  test.each(
    sampled(
      [
        ['h264.mp4', 'h264'],
        ['h264.mp4', 'hevc'],
        ['hevc.mp4', 'hevc'],
        ['deep.mp4', 'hevc'],
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
        ['transcode', 'h264.mp4', { width: 160, height: 160 }, 0],
        ['crop', 'h264.mp4', { aspect_ratio: '1:1', fill: 'pad' }, 0],
        ['crop', 'h264.mp4', { aspect_ratio: '1:1', fill: 'pad', background: '#ffffff' }, 255],
        ['crop', 'deep.mp4', { aspect_ratio: '1:1', fill: 'pad' }, 0],
      ] as const,
      3,
    ),
  )('bars have their level: %s of %s with %j', async (name, file, request, level) => {
    const done = await operate(name, join(directory, file), request);
    const { r, g, b } = await readColor(done.path, bar);
    for (const value of [r, g, b]) expect(Math.abs(value - level)).toBeLessThan(4);
  });

  test.each(sampled(['h264.mp4', 'hevc.mp4', 'deep.mp4'], 3))(
    'parts at another speed have the levels of those that are copied: %s',
    async (file) => {
      const path = join(directory, file);
      const done = await operate('speed', path, { ranges: [{ start: 0.5, end: 1, rate: 0.5 }] });
      expect((done.data as { copied_seconds: number }).copied_seconds).toBeGreaterThan(0.3);
      const [own, slow] = [await levelsAt(path, 20), await levelsAt(done.path, 25)];
      expect(own[1] - own[0]).toBeGreaterThan(200);
      for (const end of [0, 1] as const) expect(Math.abs(own[end] - slow[end])).toBeLessThan(6);
    },
  );
});
