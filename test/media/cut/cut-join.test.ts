import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import {
  readColor,
  readNumbers,
  readPulses,
  readSound,
  readTimes,
  streamOf,
} from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

describe('ranges joined in the order given', () => {
  const segments = [
    { start: 4, end: 4.5 },
    { start: 0.1, end: 1.2 },
    { start: 0.1, end: 0.2 },
    { start: 2, end: 3 },
  ];
  const kept = [...range(120, 135), ...range(3, 36), ...range(3, 6), ...range(60, 90)];

  test.each(
    sampled(
      [
        'plain.mp4',
        'open-gop.mp4',
        'rotated.mp4',
        'no-sound.mp4',
        'hevc-10bit.mp4',
        'vp9.webm',
        'av1.mp4',
        'pcm.mov',
      ],
      3,
    ),
  )('have exactly their frames: %s', async (source) => {
    const done = await operate('cut', source, { segments });
    expect(await readNumbers(done.path)).toEqual(kept);
    const times = await readTimes(done.path);
    for (const [index, time] of times.entries()) expect(Math.abs(time - index / 30)).toBeLessThan(0.012);
  });

  test('have their sound in its place', async () => {
    const done = await operate('cut', 'plain.mp4', { segments });
    const inside = (await readPulses(done.path)).filter((time) => time > 0.1 && time < 2.6);
    expect(inside.map((time) => Number(time.toFixed(2)))).toEqual([1.4, 1.7]);
    expect((await readSound(done.path)).length / 48_000).toBeCloseTo(2.7, 1);
    expect(done.time_map.map(({ out }) => out.map((time) => Number(time.toFixed(6))))).toEqual([
      [0, 0.5],
      [0.5, 1.6],
      [1.6, 1.7],
      [1.7, 2.7],
    ]);
  });

  test('keep the times of a varying rate', async () => {
    const done = await operate('cut', 'vfr.mp4', {
      segments: [
        { start: 3, end: 4 },
        { start: 1, end: 2 },
      ],
    });
    const found = (await readNumbers(done.path)).map((number, index) => ({ number, index }));
    const times = await readTimes(done.path);
    for (const { number, index } of found) {
      const place = number >= 90 ? number / 30 - 3 : number / 30;
      expect(times[index]).toBeCloseTo(place, 2);
    }
  });

  test('begin late where the first frame does', async () => {
    const ranges = [
      { start: 0, end: 2 },
      { start: 3, end: 4 },
    ];
    const done = await operate('cut', 'late-video.mkv', { segments: ranges });
    const numbers = await readNumbers(done.path);
    const times = await readTimes(done.path);
    expect(numbers).toEqual([...range(0, 29), ...range(59, 89)]);
    for (const [index, number] of numbers.entries()) {
      const place = 1.021 + number / 30 - (index < 29 ? 0 : 1);
      expect(times[index]).toBeCloseTo(place, 2);
    }
    const pulses = (await readPulses(done.path)).filter((time) => time > 0.1);
    expect(pulses.map((time) => Number(time.toFixed(2)))).toEqual([1.02, 2.02]);
  });

  test('may be a hundred, without drift between sound and picture', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => {
      const start = Number((((index * 37) % 100) * 0.04).toFixed(3));
      return { start, end: start + 0.1 };
    });
    const done = await operate('cut', 'plain.mp4', { segments: hundred });
    const expected = hundred.flatMap(({ start, end }) =>
      range(Math.ceil(start * 30 - 0.5), Math.ceil(end * 30 - 0.5)),
    );
    expect(await readNumbers(done.path)).toEqual(expected);
    const [video, audio] = [await streamOf(done.path, 'v'), await streamOf(done.path, 'a')];
    expect(Math.abs(Number(video.duration) - 10)).toBeLessThan(0.05);
    expect(Math.abs(Number(audio.duration) - 10)).toBeLessThan(0.03);
  });

  test('fade at the start of the first and the end of the last alone', async () => {
    const done = await operate('cut', 'plain.mp4', { segments, fade_in: 0.2, fade_out: 0.2 });
    const dark = await readColor(done.path, { x: 0.9, y: 0.3, width: 0.1, height: 0.3 });
    expect(dark.r + dark.g + dark.b).toBeLessThan(20);
    expect((await readNumbers(done.path)).slice(8, 75)).toEqual(kept.slice(8, 75));
  });

  test('name the range that lies outside', async () => {
    const work = operate('cut', 'plain.mp4', {
      segments: [
        { start: 0, end: 1 },
        { start: 8, end: 9 },
      ],
    });
    expect(await failureOf(work)).toMatchObject({
      code: 'time_out_of_range',
      detail: expect.stringContaining('segments[1].start'),
    });
  });
});

describe('a keyframe cut', () => {
  test.each(
    sampled(
      [
        ['plain.mp4', 1.2, 30],
        ['plain.mp4', 1, 30],
        ['long-gop.mp4', 3, 0],
        ['vfr.mp4', 1.2, 35],
        ['hevc.mp4', 2.5, 60],
        ['vp9.webm', 2.5, 60],
        ['late.ts', 2.5, 60],
        ['pcm.mov', 1.2, 30],
      ],
      3,
    ),
  )('of %s from %f s copies from frame %i on', async (source, start, first) => {
    const done = await operate('cut', source, { start, duration: 1, mode: 'keyframe' });
    const found = await readNumbers(done.path);
    expect(found[0]).toBe(first);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found.at(-1)).toBeGreaterThanOrEqual(Math.floor((start + 1) * 30) - 2);
    expect(done.data).toMatchObject({ rendered_seconds: 0, copied_seconds: done.duration });
    expect((await readTimes(done.path))[0]).toBeLessThan(0.03);
  });

  test.each(
    sampled(
      [
        ['plain.mkv', 'aac', 'mp4'],
        ['plain.mkv', 'flac', 'mp4'],
        ['plain.mkv', 'flac', 'mkv'],
        ['plain.mp4', 'aac', 'mkv'],
        ['vp9.webm', 'opus', 'webm'],
      ],
      3,
    ),
  )('of %s with %s in %s is heard to its end', async (source, codec, format) => {
    const path = join(scratch(), `to-its-end-${codec}-${source}`);
    const copied = ['-c', 'copy', ...(codec === 'flac' ? ['-c:a', 'flac'] : [])];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', fixture(source), ...copied, path]);
    const done = await operate('cut', path, { start: 2, duration: 2, mode: 'keyframe', format });
    expect((await streamOf(done.path, 'a')).codec_name).toBe(codec);
    const heard = (await readSound(done.path)).length / 48_000;
    expect(heard).toBeGreaterThan((done.duration ?? 0) - 0.025);
  });

  test('copies the very packets', async () => {
    const done = await operate('cut', 'plain.mp4', { start: 1, duration: 1, mode: 'keyframe' });
    const stream = await streamOf(done.path, 'v');
    const source = await streamOf(fixture('plain.mp4'), 'v');
    expect(stream.extradata_size).toBe(source.extradata_size);
    expect(stream.profile).toBe(source.profile);
  });

  test('keeps the display matrix', async () => {
    const done = await operate('cut', 'rotated.mp4', { start: 1, duration: 1, mode: 'keyframe' });
    expect(JSON.stringify((await streamOf(done.path, 'v')).side_data_list)).toContain('"rotation":-90');
    const joined = await operate('cut', 'rotated.mp4', {
      segments: [
        { start: 1, end: 2 },
        { start: 3, end: 4 },
      ],
      mode: 'keyframe',
    });
    expect(JSON.stringify((await streamOf(joined.path, 'v')).side_data_list)).toContain('"rotation":-90');
  });

  test('joins ranges', async () => {
    const segments = [
      { start: 3, end: 4 },
      { start: 1, end: 2 },
    ];
    const done = await operate('cut', 'no-sound.mp4', { segments, mode: 'keyframe' });
    const found = await readNumbers(done.path);
    const second = found.indexOf(30);
    expect(found.slice(0, second)).toEqual(range(90, 90 + second));
    expect(found.slice(second)).toEqual(range(30, 30 + found.length - second));
  });

  test('renders where the container cannot hold the codec', async () => {
    const done = await operate('cut', 'plain.mp4', {
      start: 1,
      duration: 1,
      mode: 'keyframe',
      format: 'webm',
    });
    expect(done.data).toMatchObject({ copied_seconds: 0, rendered_seconds: 1 });
    expect(done.data.spans).toMatchObject([{ copied: false, frames: 30, rendered_because: 'format' }]);
    expect(await readNumbers(done.path)).toEqual(range(30, 60));
  });
});
