import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readTimes, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const x264 = (params: string) => ['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', params];

async function made(name: string, ...coded: string[]): Promise<string> {
  const path = join(scratch(), name);
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...coded, path]);
  return path;
}

test.each(sampled(['mxf', 'avi'], 3))(
  'H.264 in %s is copied where no keyframe is cut off',
  async (container) => {
    const path = await made(`h264.${container}`, ...x264('bframes=0:keyint=30'), '-c:a', 'pcm_s16le');
    const done = await operate('cut', path, { start: 0.5, end: 4 });
    expect(await readNumbers(done.path)).toEqual(range(15, 120));
    expect(Number(done.data.copied_seconds)).toBeGreaterThan(2.5);
  },
);

test.each(
  sampled(
    [
      ['B-frames', 'bframes=2:keyint=30:scenecut=0'],
      ['a pyramid of B-frames', 'bframes=5:b-pyramid=normal:b-adapt=0:keyint=30:scenecut=0'],
      ['open groups', 'bframes=2:open-gop=1:keyint=30:scenecut=0'],
      ['interlaced B-frames', 'bframes=2:tff=1:keyint=30:scenecut=0'],
    ],
    3,
  ),
)('H.264 with %s in AVI, which states decoding times alone, is copied', async (name, params) => {
  const path = await made(`${name.replaceAll(' ', '-')}.avi`, ...x264(params), '-c:a', 'libmp3lame');
  const done = await operate('cut', path, { start: 0.5, end: 4 });
  expect(await readNumbers(done.path)).toEqual(range(15, 120));
  expect(Number(done.data.copied_seconds)).toBeGreaterThan(2);
  const rendered = await operate('cut', path, { start: 0.5, end: 4, quality: { crf: 20 } });
  expect(rendered.data.copied_seconds).toBe(0);
  expect(await readNumbers(rendered.path)).toEqual(range(15, 120));
});

test.each(
  sampled(
    [
      ['VP9', ['-c:v', 'libvpx-vp9', '-b:v', '600k', '-deadline', 'realtime', '-cpu-used', '8', '-g', '30']],
      ['AV1', ['-c:v', 'libsvtav1', '-preset', '12', '-g', '30', '-pix_fmt', 'yuv420p']],
    ],
    3,
  ),
)('%s in IVF is copied', async (name, coded) => {
  const path = await made(`${name}.ivf`, '-an', ...coded);
  const done = await operate('cut', path, { start: 0.5, end: 4 });
  expect(await readNumbers(done.path)).toEqual(range(15, 120));
  expect(Number(done.data.copied_seconds)).toBeGreaterThan(2);
});

test.each(sampled(['44100', '48000'], 3))(
  'a picture that begins late, between two of %s samples, is copied',
  async (rate) => {
    const path = join(scratch(), `late-${rate}.ts`);
    const inputs = ['-itsoffset', '0.1191', '-i', fixture('plain.mp4'), '-i', fixture('plain.mp4')];
    const coded = ['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac', '-ar', rate];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...inputs, ...coded, path]);
    const [first = 0] = await readTimes(path);
    const begins = first - Number((await streamOf(path, 'a')).start_time);
    const done = await operate('cut', path, { start: 0, end: 4 });
    expect(Number(done.data.copied_seconds)).toBeGreaterThan(3);
    const times = await readTimes(done.path);
    expect(await readNumbers(done.path)).toEqual(range(0, times.length));
    for (const [index, time] of times.entries())
      expect(Math.abs(time - begins - index / 30)).toBeLessThan(0.0001);
  },
);
