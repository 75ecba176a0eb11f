import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
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
import { likeness } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operateOn, range } from '../operate.ts';

const url = 'https://media.example.com/clip';
const directory = mkdtempSync(join(tmpdir(), 'spool-merge-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Cut {
  start?: number;
  end?: number;
  volume_db?: number;
}

/** Merges these files, each whole or in part. */
const merge = (
  clips: readonly (string | [string, Cut])[],
  request: Record<string, unknown> = {},
  music?: string,
) =>
  operateOn(
    'merge_urls',
    [...clips.map((clip) => (typeof clip === 'string' ? clip : clip[0])), ...(music ? [music] : [])],
    {
      ...request,
      urls: clips.map((clip) => (typeof clip === 'string' ? url : { url, ...clip[1] })),
      ...(music ? { background_audio_url: url } : {}),
    },
  );

/** Root of the mean square between two moments, in decibels. */
function levelOf(sound: Float32Array, from: number, to: number): number {
  const part = sound.subarray(from * 48_000, to * 48_000);
  return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 0) / part.length);
}

async function expectGrid(path: string, rate: number, frames: number) {
  const times = await readTimes(path);
  expect(times).toHaveLength(frames);
  for (const [index, time] of times.entries()) expect(Math.abs(time - index / rate)).toBeLessThan(0.012);
}

async function expectEndsTogether(path: string, seconds: number) {
  const [video, audio] = [await streamOf(path, 'v'), await streamOf(path, 'a')];
  expect(Number(video.duration)).toBeCloseTo(seconds, 2);
  expect(Math.abs(Number(audio.duration) - seconds)).toBeLessThan(0.025);
}

describe('hard cuts', () => {
  test('show every frame of every clip, with the sound in its place', async () => {
    const done = await merge([
      'plain.mp4',
      ['open-gop.mp4', { start: 0.5, end: 2.5 }],
      ['long-gop.mp4', { end: 1 }],
    ]);
    expect(await readNumbers(done.path)).toEqual([...range(0, 180), ...range(15, 75), ...range(0, 30)]);
    await expectGrid(done.path, 30, 270);
    await expectEndsTogether(done.path, 9);
    expect(done.data).toMatchObject({
      joints: [
        { index: 0, type: 'none', at: 6, duration: 0 },
        { index: 1, type: 'none', at: 8, duration: 0 },
      ],
      copied_seconds: 7.4,
      rendered_seconds: 1.6,
    });
    expect(done.time_map).toEqual([
      { source: 0, in: [0, 6], out: [0, 6] },
      { source: 1, in: [0.5, 2.5], out: [6, 8] },
      { source: 2, in: [0, 1], out: [8, 9] },
    ]);
    const pulses = (await readPulses(done.path)).map((time) => Number(time.toFixed(2)));
    expect(pulses.filter((time) => time > 5.5 && time < 8)).toEqual([6.5, 7.5]);
  });

  test('may be many, and do not drift', async () => {
    const clips = Array.from({ length: 40 }, (_, index): [string, Cut] => {
      const start = (index * 7) % 150;
      return ['ntsc-film.mp4', { start: (start * 1001) / 24_000, end: ((start + 3) * 1001) / 24_000 }];
    });
    const done = await merge(clips);
    expect(await readNumbers(done.path)).toEqual(
      clips.flatMap((_, index) => range((index * 7) % 150, ((index * 7) % 150) + 3)),
    );
    await expectGrid(done.path, 24_000 / 1001, 120);
    await expectEndsTogether(done.path, (120 * 1001) / 24_000);
  });
});

test('a clip may begin anywhere inside a long frame', async () => {
  const file = join(directory, 'slow.mp4');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=7', '-t', '2', '-c:v', 'libx264'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...picture, file]);
  for (const start of [0.3, 0.34, 0.37, 0.38, 0.4]) {
    const done = await merge([[file, { start }], file]);
    expect(await readTimes(done.path)).toHaveLength(Math.round((2 - start) * 7) + 14);
  }
});

test('clips of nearly the same rate follow a transition that ends between two of their frames', async () => {
  const clips = [30.3, 30].map((rate) => ({ rate, file: join(directory, `rate-${rate}.mp4`) }));
  for (const { rate, file } of clips) {
    const picture = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=${rate * 1000}/1000:d=${rate === 30 ? 3 : 2}`];
    const coded = ['-c:v', 'libx264', '-preset', 'veryfast', file];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...picture, ...coded]);
  }
  const files = clips.map(({ file }) => file);
  const done = await merge(files, { transition: 'fade', duration: 1 });
  expect(await readTimes(done.path)).toHaveLength(61 + 91 - 30);
});

describe('transitions', () => {
  test('overlap the clips by whole frames, and say where', async () => {
    const done = await merge([['plain.mp4', { end: 2 }], ['no-sound.mp4', { end: 3 }], 'hevc.mp4'], {
      transition: 'fade',
      duration: 0.5,
      transitions: [{}, { type: 'circleopen', duration: 1 }],
    });
    expect(done.data).toMatchObject({
      joints: [
        { index: 0, type: 'fade', at: 1.5, duration: 0.5 },
        { index: 1, type: 'circleopen', at: 3.5, duration: 1 },
      ],
    });
    const found = await readNumbers(done.path);
    expect(found).toHaveLength(60 + 90 + 180 - 15 - 30);
    expect(found.slice(0, 45)).toEqual(range(0, 45));
    expect(found.slice(60, 105)).toEqual(range(15, 60));
    expect(found.slice(135)).toEqual(range(30, 180));
    await expectGrid(done.path, 30, 285);
    await expectEndsTogether(done.path, 9.5);
    expect(done.warnings.map(({ code }) => code)).toEqual(['audio_missing']);
  });

  test('may begin before the clip ends', async () => {
    const done = await merge(['plain.mp4', 'plain.mp4'], {
      transitions: [{ type: 'wipeleft', duration: 0.5, offset: 1 }],
    });
    const found = await readNumbers(done.path);
    expect(found).toHaveLength(30 + 180);
    expect(found.slice(0, 30)).toEqual(range(0, 30));
    expect(found.slice(45)).toEqual(range(15, 180));
    expect(done.data).toMatchObject({ joints: [{ at: 1, duration: 0.5 }] });
  });

  test('crossfade the sound at the same power, or change it over in the middle', async () => {
    const clips: [string, Cut][] = [
      ['plain.mp4', { start: 0.1, end: 2.9 }],
      ['mute.mp4', { start: 0.1, end: 2.9 }],
    ];
    const faded = await readSound((await merge(clips, { transition: 'fade', duration: 0.8 })).path);
    const cut = await readSound(
      (await merge(clips, { transition: 'fade', duration: 0.8, audio_transition: 'cut' })).path,
    );
    const before = levelOf(cut, 2.1, 2.3);
    expect(levelOf(faded, 2.1, 2.3) - before).toBeLessThan(-0.3);
    expect(levelOf(cut, 2.45, 2.7)).toBeLessThan(-70);
    expect(levelOf(faded, 2.45, 2.6)).toBeGreaterThan(-60);
  });

  test('are shortened where a clip is too short for them, or end the task', async () => {
    const clips: [string, Cut][] = [
      ['plain.mp4', { end: 2 }],
      ['plain.mp4', { end: 1 }],
      ['plain.mp4', { end: 2 }],
    ];
    const done = await merge(clips, { transition: 'dissolve', duration: 1.5 });
    expect(done.warnings.map(({ code }) => code)).toEqual(['transition_shortened', 'transition_shortened']);
    expect(done.data).toMatchObject({
      joints: [
        { at: 1.5, duration: 0.5 },
        { at: 2, duration: 0.5 },
      ],
    });
    expect(await readNumbers(done.path)).toHaveLength(150 - 30);
    const work = merge(clips, { transition: 'dissolve', duration: 1.5, on_short_clip: 'error' });
    expect((await failureOf(work)).code).toBe('clip_too_short');
  });
});

describe('clips that differ', () => {
  test('come in size, rate and sound of the first', async () => {
    const files = [
      'plain.mp4',
      'sixty.mp4',
      'rotated.mp4',
      'wide-pixels.mp4',
      'vfr.mp4',
      'odd.webm',
      'surround.mp4',
    ];
    const done = await merge(files.map((file): [string, Cut] => [file, { end: 1 }]));
    const found = await readNumbers(done.path);
    expect(found).toHaveLength(7 * 30);
    expect(found.slice(0, 30)).toEqual(range(0, 30));
    expect(found.slice(30, 60)).toEqual(range(0, 30).map((index) => index * 2));
    expect(found.slice(150, 180)).toEqual(range(0, 30));
    await expectGrid(done.path, 30, 210);
    expect(done).toMatchObject({ width: 320, height: 180 });
    expect((await streamOf(done.path, 'a')).channels).toBe(2);
    expect(done.warnings.map(({ code }) => code)).toEqual(['source_vfr']);
  });

  test('a last frame ends where the edit list does, although it is decoded for longer', async () => {
    const path = join(directory, 'edited.mov');
    const thinned = 'trim=end_frame=60,select=not(eq(mod(n\\,7)\\,2))';
    const coded = ['-vf', thinned, '-fps_mode', 'vfr', '-t', '2', '-bf', '0', '-preset', 'ultrafast'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', fixture('plain.mp4'), ...coded, path]);
    const bytes = await readFile(path);
    const table = bytes.indexOf('stts') + 8;
    const last = table + 8 * bytes.readUInt32BE(table);
    expect(bytes.readUInt32BE(last - 4)).toBe(1);
    bytes.writeUInt32BE(40 * bytes.readUInt32BE(last), last);
    await writeFile(path, bytes);
    const done = await merge([path, ['plain.mp4', { end: 1 }]]);
    expect(done.time_map.map(({ out }) => out)).toEqual([
      [0, 2],
      [2, 3],
    ]);
    await expectEndsTogether(done.path, 3);
  });

  test.each(
    sampled(
      [
        ['late.ts', 30, 59],
        ['late.mkv', 30, 59],
        ['late-video.mkv', 30, 59],
        ['vp9.webm', 30, 60],
        ['av1.mp4', 30, 60],
        ['pcm.mov', 30, 60],
        ['edit-list.mp4', 30, 60],
        ['h264-10bit.mp4', 30, 60],
        ['hevc-10bit.mp4', 30, 60],
        ['hdr10.mp4', 30, 60],
        ['ntsc-film.mp4', 24_000 / 1001, 48],
      ],
      3,
    ),
  )('%s may be first, with a transition drawn by a map', async (file, rate, first) => {
    const done = await merge(
      [
        [file, { end: 2 }],
        ['plain.mp4', { end: 2 }],
      ],
      { transition: 'heart', duration: 0.5 },
    );
    const frames = first + Math.round(2 * rate) - Math.round(0.5 * rate);
    await expectGrid(done.path, rate, frames);
    await expectEndsTogether(done.path, frames / rate);
  });

  test.each(sampled(['merge_urls', 'transcode'] as const, 3))(
    'of odd sides lose the last row and column (%s)',
    async (name) => {
      const expected = join(directory, `even-${name}.mp4`);
      const graph = 'crop=320:180:0:0:exact=1,format=yuv420p';
      await run(programs, 'ffmpeg', [
        ...['-v', 'error', '-nostdin', '-y', '-i', fixture('odd.webm'), '-t', '0.5', '-an', '-vf', graph],
        ...['-c:v', 'libx264', '-qp', '0', expected],
      ]);
      const done =
        name === 'transcode'
          ? await operateOn('transcode', ['odd.webm'], { video_url: url, width: 320, height: 180 })
          : await merge([
              ['odd.webm', { end: 0.5 }],
              ['odd.webm', { end: 0.5 }],
            ]);
      const alike = (await likeness(done.path, expected)).slice(0, 14);
      expect(Math.min(...alike)).toBeGreaterThan(35);
    },
  );

  test('fill the frame as asked', async () => {
    const above = { x: 0.4, y: 0.01, width: 0.2, height: 0.1 };
    const asked = { width: 180, height: 320, background: '#ff00ff' };
    const clips: [string, Cut][] = [
      ['rotated.mp4', { end: 0.4 }],
      ['plain.mp4', { end: 0.4 }],
    ];
    const colorWith = async (fit: string) => {
      const done = await merge(clips, { ...asked, fit, fps: 25 });
      await expectGrid(done.path, 25, 20);
      expect(done).toMatchObject({ width: 180, height: 320 });
      return readColor(done.path, above);
    };
    const bars = await colorWith('contain');
    expect(Math.min(bars.r, 255 - bars.g, bars.b)).toBeGreaterThan(220);
    for (const fit of ['blur', 'cover', 'stretch']) {
      const { r, g, b } = await colorWith(fit);
      expect(Math.min(r, 255 - g, b)).toBeLessThan(150);
    }
  });
});

describe('sound', () => {
  /** Seconds 0.1 … 0.9 of a second hold the quiet tone of a fixture alone. */
  const quiet = ['plain.mp4', { start: 0.1, end: 0.9 }] satisfies [string, Cut];
  const silent = ['no-sound.mp4', { end: 0.8 }] satisfies [string, Cut];

  test('of a telephone at the start does not make a telephone of the others and of the music', async () => {
    const phone = join(directory, 'phone.mp4');
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-t', '1', '-c:v', 'copy'],
      ...['-c:a', 'aac', '-ac', '1', '-ar', '8000', phone],
    ]);
    const shapeOf = async (done: { path: string }) => {
      const { sample_rate, channels } = await streamOf(done.path, 'a');
      return [Number(sample_rate), channels];
    };
    const cut: Cut = { end: 0.8 };
    expect(
      await shapeOf(
        await merge([
          [phone, cut],
          ['plain.mp4', cut],
        ]),
      ),
    ).toEqual([48_000, 2]);
    const alone: [string, Cut][] = [
      [phone, cut],
      [phone, cut],
    ];
    expect(await shapeOf(await merge(alone))).toEqual([8000, 1]);
    const urls = alone.map(() => ({ url, ...cut }));
    const request = { urls, background_audio_url: url };
    const files = [phone, phone, 'sound.m4a'];
    expect(await shapeOf(await operateOn('merge_urls', files, request))).toEqual([48_000, 2]);
  });

  test('music lies under the whole result, repeated, and lower where a clip is heard', async () => {
    const mixed = async (duck: boolean, volume_db: number) => {
      const done = await merge(
        [
          ['no-sound.mp4', { end: 6 }],
          ['plain.mp4', { ...quiet[1], volume_db }],
          ['no-sound.mp4', { end: 5 }],
        ],
        { background_volume_db: -10, duck },
        'tone.wav',
      );
      await expectEndsTogether(done.path, 11.8);
      return readSound(done.path);
    };
    const plain = await mixed(false, -60);
    const ducked = await mixed(true, 20);
    const level = levelOf(plain, 2, 5);
    expect(levelOf(plain, 9, 11)).toBeCloseTo(level, 0);
    expect(levelOf(plain, 6.1, 6.7)).toBeCloseTo(level, 0);
    expect(levelOf(ducked, 2, 5)).toBeCloseTo(level, 0);
    const tone = (sound: Float32Array, hz: number) => {
      const part = sound.subarray(6.2 * 48_000, 6.7 * 48_000);
      const wave = (of: (angle: number) => number) =>
        part.reduce((sum, value, at) => sum + value * of((2 * Math.PI * hz * at) / 48_000), 0);
      return 20 * Math.log10(Math.hypot(wave(Math.sin), wave(Math.cos)) / part.length);
    };
    expect(tone(ducked, 1000) - tone(plain, 1000)).toBeLessThan(-6);
    expect(tone(ducked, 440) - tone(plain, 440)).toBeGreaterThan(20);
  });

  test('music alone will do, and clips without any sound give none', async () => {
    const music = await merge([silent, silent], {}, 'sound.mp3');
    await expectEndsTogether(music.path, 1.6);
    const none = await merge([silent, silent]);
    expect(await streamOf(none.path, 'a')).toEqual({});
    expect(none.warnings).toEqual([{ code: 'audio_missing', detail: 'No clip has audio.' }]);
    const wrong = await failureOf(merge([silent, silent], {}, 'no-sound.mp4'));
    expect(wrong.code).toBe('source_no_audio');
  });

  test('is brought to a loudness, but never over a true peak of −1.5 dB', async () => {
    const clips: [string, Cut][] = [
      ['plain.mp4', { end: 2 }],
      ['plain.mp4', { end: 2 }],
    ];
    const levels = await Promise.all(
      [false, true].map(async (normalize_audio) =>
        levelOf(await readSound((await merge(clips, { normalize_audio })).path), 0.1, 1.5),
      ),
    );
    // The peaks of the fixture are over −1.5 dBTP, so that it may not become louder.
    expect((levels[1] ?? 0) - (levels[0] ?? 0)).toBeLessThan(-0.3);
  });
});
