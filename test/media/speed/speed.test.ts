import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationData } from '../../../schema/operations/index.ts';
import type { TimeMap } from '../../../schema/task/task.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { pulsesIn, readNumbers, readSound, readTimes, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { packetHashes } from '../../fixtures/packets.ts';
import { sampled, thorough } from '../../sampled.ts';
import { type Done, failureOf, operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { lateness } from './heard.ts';

const speed = (source: string, request: Record<string, unknown>) => operate('speed', source, request);
const dataOf = (done: Done) => done.data as OperationData<'speed'>;

/** plain.mp4: 180 frames of 1/30 s, each with its number, and a pulse at every full second. */
const FRAMES = 180;
const STEP = 1 / 30;
const PULSES = [1, 2, 3, 4, 5];

/** Where a moment of the source is in the output. */
function mapped(map: TimeMap, time: number): number {
  const span = map.find(({ in: [from, to] }) => time >= Math.min(from, to) && time < Math.max(from, to));
  if (!span) return Number.NaN;
  const [[from, to], [begin, end]] = [span.in, span.out];
  return begin + ((time - from) * (end - begin)) / (to - from);
}

/** An independent model of what each frame of the output shows: the frame on screen, or the nearest one. */
function shownAt(map: TimeMap, slot: number): number {
  const time = slot * STEP;
  const span = map.find(({ out: [begin, end] }) => time >= begin - STEP / 10 && time < end - STEP / 10);
  if (!span) return Number.NaN;
  const {
    in: [from, to],
    out: [begin, end],
  } = span;
  return from + ((time - begin) * (to - from)) / (end - begin);
}

/** Every frame of the output is the one that the time map says, to half a frame. */
async function expectFrames(done: Done, rate: number): Promise<number[]> {
  const [numbers, times] = [await readNumbers(done.path), await readTimes(done.path)];
  expect(numbers).toHaveLength(Math.round((done.duration ?? 0) / STEP));
  const origin = times[0] ?? 0;
  for (const [slot, time] of times.entries()) {
    expect(Math.abs(time - origin - slot * STEP)).toBeLessThan(0.0011);
    const ahead = (numbers[slot] ?? -1) - shownAt(done.time_map, slot) / STEP;
    // A frame that is repeated is shown until the next one begins; one of several that are left out is the nearest.
    expect(ahead, `frame ${slot}`).toBeGreaterThan(rate < 1 ? -1 : -0.51);
    expect(ahead, `frame ${slot}`).toBeLessThan(rate < 1 ? rate / 2 + 0.01 : 0.51);
  }
  return numbers;
}

describe('frames at a rate', () => {
  const rates = [
    [0.1, 'mp4'],
    [0.25, 'mp4'],
    [0.9, 'mkv'],
    [1.25, 'mp4'],
    [0.5, 'webm'],
    [2, 'webm'],
    [3.7, 'mkv'],
    [16, 'mp4'],
  ] as const;
  test.each(sampled(rates, 4))(
    'of %d in %s show the mapped times, and the sound is as long',
    async (rate, format) => {
      const done = await speed('plain.mp4', { rate, format, pitch: 'follow' });
      const frames = Math.round(FRAMES / rate);
      expect(done.duration).toBeCloseTo(frames * STEP, 5);
      expect(done.time_map).toEqual([{ source: 0, in: [0, 6], out: [0, done.duration] }]);
      const numbers = await expectFrames(done, rate);
      if (rate < 1) expect(new Set(numbers)).toEqual(new Set(range(0, FRAMES)));
      const sound = await readSound(done.path);
      expect(Math.abs(sound.length / 48_000 - (done.duration ?? 0))).toBeLessThan(0.05);
      const due = PULSES.map((pulse) => mapped(done.time_map, pulse));
      for (const late of await lateness(done.path, due, 0.3 / Math.max(1, rate))) {
        expect(Math.abs(late)).toBeLessThan(0.001);
      }
    },
  );

  test.each([
    [0.25, 0.045],
    [0.5, 0.009],
    [0.9, 0.002],
    [1.25, 0.002],
    [2, 0.002],
  ])('of %d with the pitch kept sound at the mapped times, within %d s', async (rate, most) => {
    const done = await speed('sound.m4a', { audio_url: true, rate });
    const due = PULSES.map((pulse) => mapped(done.time_map, pulse));
    const late = await lateness(done.path, due, 0.2 / Math.max(1, rate));
    console.log(
      `rate ${rate}, pitch kept: ${late.map((seconds) => (seconds * 1000).toFixed(1)).join(', ')} ms late`,
    );
    expect(Math.max(...late.map(Math.abs))).toBeLessThan(most);
    expect(Math.abs((await readSound(done.path)).length / 48_000 - 5.973 / rate)).toBeLessThan(0.05);
  });

  thorough('keep their own times if the frame rate varies, and none is lost', async () => {
    const [numbers, times] = [await readNumbers(fixture('vfr.mp4')), await readTimes(fixture('vfr.mp4'))];
    const done = await speed('vfr.mp4', { rate: 0.5 });
    expect(await readNumbers(done.path)).toEqual(numbers);
    const made = await readTimes(done.path);
    for (const [index, time] of made.entries()) {
      expect(Math.abs(time - 2 * (times[index] ?? 0))).toBeLessThan(0.001);
    }
    const fast = await speed('vfr.mp4', { rate: 2 });
    for (const [index, number] of (await readNumbers(fast.path)).entries()) {
      const at = (await readTimes(fast.path))[index] ?? 0;
      expect(Math.abs(at - (times[numbers.indexOf(number)] ?? 0) / 2)).toBeLessThan(0.001);
    }
  });

  test.each(sampled(['late-sound.mp4', 'late-video.mkv', 'no-sound.mp4', 'hevc.mp4', 'vp9.webm'], 3))(
    'of %s: each keeps its place',
    async (source) => {
      const done = await speed(source, { rate: 2, pitch: 'follow' });
      const [own, times] = [await readNumbers(fixture(source)), await readTimes(fixture(source))];
      const [made, at] = [await readNumbers(done.path), await readTimes(done.path)];
      const begins = source === 'late-video.mkv' ? (times[0] ?? 0) : 0;
      expect(made.length).toBeGreaterThan(own.length / 2 - 2);
      for (const [index, number] of made.entries()) {
        const wanted = ((times[own.indexOf(number)] ?? 0) - (times[0] ?? 0) + begins) / 2;
        expect(Math.abs((at[index] ?? 0) - (at[0] ?? 0) + begins / 2 - wanted)).toBeLessThan(0.035);
      }
      if (source !== 'late-sound.mp4') return;
      const heard = pulsesIn(await readSound(fixture(source))).slice(1, 4);
      for (const late of await lateness(
        done.path,
        heard.map((time) => mapped(done.time_map, time)),
        0.15,
      )) {
        expect(Math.abs(late)).toBeLessThan(0.002);
      }
    },
    60_000,
  );
});

test.each(sampled([{ rate: 0.1 }, { rate: 0.25, reverse: true }], 3))(
  'AV1 at %j ends when its last frame does',
  async (request) => {
    const short = join(scratch(), `av1-${request.rate}.mp4`);
    const start = ['-i', fixture('av1.mp4'), '-t', '1.98', '-c', 'copy'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...start, short]);
    const [made, source] = [await speed(short, request), await readNumbers(short)];
    expect(source).toEqual(range(0, 60));
    const times = Math.round(1 / request.rate);
    expect(made.duration).toBeCloseTo((source.length * times) / 30, 3);
    const shown = source.flatMap((number) => Array(times).fill(number));
    expect(await readNumbers(made.path)).toEqual(request.reverse ? shown.reverse() : shown);
  },
  120_000,
);

describe('what the source has without a frame', () => {
  test.each(['plain.mkv', 'edit-list.mp4'])(
    'is slowed down with the rest of %s',
    async (source) => {
      const done = await speed(source, { rate: 0.1, pitch: 'follow' });
      const [own, times] = [await readNumbers(fixture(source)), await readTimes(fixture(source))];
      const [made, at] = [await readNumbers(done.path), await readTimes(done.path)];
      expect(made).toEqual(own.flatMap((number) => Array(10).fill(number)));
      const late = source === 'plain.mkv' ? (times[0] ?? 0) : 0;
      expect(Math.abs((at[0] ?? 0) - 10 * late)).toBeLessThan(0.0011);
      const total = done.duration ?? 0;
      expect(total - (at.at(-1) ?? 0)).toBeGreaterThan(STEP - 0.01);
      expect((await readSound(done.path)).length / 48_000).toBeCloseTo(total, 1);
      expect(done.time_map).toEqual([{ source: 0, in: [0, expect.closeTo(total / 10, 5)], out: [0, total] }]);
    },
    60_000,
  );
});

describe('ranges', () => {
  test.each(
    sampled(
      [
        ['plain.mp4', 'mp4', 'h264'],
        ['plain.mp4', 'mkv', 'h264'],
        ['hevc.mp4', 'mp4', 'hevc'],
        ['vp9.webm', 'webm', 'vp9'],
      ],
      3,
    ),
  )(
    'of %s in %s: %s is copied where the rate is 1, and rendered elsewhere',
    async (source, format, codec) => {
      const ranges = [
        { start: 1, end: 2, rate: 0.5 },
        { start: 4, end: 5, rate: 2 },
      ];
      const done = await speed(source, { ranges, format, pitch: 'follow' });
      expect((await streamOf(done.path, 'v')).codec_name).toBe(codec);
      for (const [index, edge] of [0, 1, 2, 4, 5].entries()) {
        expect(Math.abs((done.time_map[index]?.in[0] ?? -1) - edge)).toBeLessThan(0.01);
      }
      const numbers = await readNumbers(done.path);
      expect(numbers.slice(0, 135)).toEqual([
        ...range(0, 30),
        ...range(30, 60).flatMap((number) => [number, number]),
        ...range(60, 105),
      ]);
      expect(numbers.slice(150, 165)).toEqual(range(0, 15).map((index) => 120 + 2 * index));
      expect(numbers.slice(165, 194)).toEqual(range(150, 179));
      expect(dataOf(done).copied_seconds).toBeGreaterThan(2.4);
      const own = new Set(await packetHashes(fixture(source)));
      const same = (await packetHashes(done.path)).filter((hash) => own.has(hash)).length;
      expect(same).toBeGreaterThan(70);
      const [late = 1] = await lateness(done.path, [mapped(done.time_map, 3)], 0.2);
      // Opus of vp9.webm is 7 ms ahead of the picture in the source, too.
      const [before = 0] = await lateness(fixture(source), [3], 0.2);
      expect(Math.abs(late - before)).toBeLessThan(0.002);
    },
    90_000,
  );

  test.each(sampled(['mp4', 'mkv', 'webm'], 3))(
    'of one frame in the last second leave the length right: %s',
    async (format) => {
      const source = join(scratch(), 'two-seconds.mp4');
      const first = ['-i', fixture('plain.mp4'), '-t', '2', '-c:v', 'libx264', source];
      await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...first]);
      const ranges = [{ start: 1.2, end: 1.23, rate: 0.5 }];
      const done = await speed(source, { ranges, format, quality: 'high' });
      const { stdout } = await run(programs, 'ffprobe', [
        ...['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', done.path],
      ]);
      expect(Math.abs(Number(stdout) - 2.033)).toBeLessThan(0.08);
    },
  );

  test('of sound alone: each takes its time', async () => {
    const ranges = [{ start: 1.5, end: 3.5, rate: 0.5 }];
    const done = await speed('sound.m4a', { audio_url: true, ranges, pitch: 'follow' });
    expect(done.width).toBeNull();
    const due = PULSES.map((pulse) => mapped(done.time_map, pulse));
    for (const late of await lateness(done.path, due, 0.2)) expect(Math.abs(late)).toBeLessThan(0.001);
  });

  test('that begin after the end fail with time_out_of_range', async () => {
    const ranges = [{ start: 60, end: 61, rate: 2 }];
    expect(await failureOf(speed('plain.mp4', { ranges }))).toMatchObject({ code: 'time_out_of_range' });
  });

  test('of a picture too small for the encoder fail with output_too_small', async () => {
    const source = join(scratch(), 'tiny.mp4');
    const small = ['-t', '2', '-vf', 'scale=64:48', source];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), ...small]);
    const ranges = [{ start: 0.5, end: 1, rate: 0.5 }];
    expect(await failureOf(speed(source, { ranges, codec: 'av1' }))).toMatchObject({
      code: 'output_too_small',
      detail: expect.stringContaining('av1 needs at least 64 × 64 px'),
    });
  });
});

describe('backwards', () => {
  test.each([
    ['plain.mp4', {}],
    ['plain.mp4', { format: 'webm' }],
    ['long-gop.mp4', {}],
    ['open-gop.mp4', { format: 'mkv' }],
    ['hevc-10bit.mp4', {}],
  ])(
    'every frame of %s %o comes once, from the last one to the first',
    async (source, request) => {
      const done = await speed(source, { reverse: true, ...request });
      const numbers = await readNumbers(fixture(source));
      expect(await readNumbers(done.path)).toEqual(numbers.toReversed());
      expect(done.time_map).toEqual([{ source: 0, in: [done.duration, 0], out: [0, done.duration] }]);
      const due = PULSES.map((pulse) => (done.duration ?? 0) - pulse);
      for (const late of await lateness(done.path, due, 0.3)) expect(Math.abs(late)).toBeLessThan(0.002);
    },
    90_000,
  );

  thorough(
    'at half the rate, frames and sound mirror the slowed video',
    async () => {
      const [forwards, back] = [
        await speed('plain.mp4', { rate: 0.5, pitch: 'follow' }),
        await speed('plain.mp4', { rate: 0.5, pitch: 'follow', reverse: true }),
      ];
      expect(await readNumbers(back.path)).toEqual((await readNumbers(forwards.path)).toReversed());
      const due = PULSES.map((pulse) => 12 - 2 * pulse);
      for (const late of await lateness(back.path, due, 0.3)) expect(Math.abs(late)).toBeLessThan(0.002);
    },
    90_000,
  );

  test.each([1, 2])(
    'at rate %d, a picture that ends next to the end of the sound keeps its first packet',
    async (rate) => {
      // Frames are put in slots of the frame rate, and the last one ends up to half a frame behind the sound.
      const path = join(scratch(), 'late.mkv');
      const source = fixture('plain.mp4');
      const late = ['-i', source, '-itsoffset', '0.05', '-i', source, '-map', '1:v', '-map', '0:a'];
      const cut = [
        ...['-t', '2.0637', '-c:v', 'libx264', '-preset', 'veryfast'],
        ...['-frames:v', '60', '-c:a', 'aac'],
      ];
      await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...late, ...cut, path]);
      const done = await operate('speed', path, { rate, reverse: true });
      const numbers = await readNumbers(done.path);
      expect(numbers[0]).toBeGreaterThan(57);
      expect(numbers.at(-1)).toBeLessThan(2);
      expect(Math.abs(numbers.length - 60 / rate)).toBeLessThan(2);
    },
  );

  test('frames of a variable rate stay on screen as long as they did', async () => {
    const times = await readTimes(fixture('vfr.mp4'));
    const done = await speed('vfr.mp4', { reverse: true });
    expect(await readNumbers(done.path)).toEqual((await readNumbers(fixture('vfr.mp4'))).toReversed());
    const made = await readTimes(done.path);
    const total = done.duration ?? 0;
    for (const [index, time] of made.entries()) {
      if (index === 0) continue;
      expect(Math.abs(time - (total - (times.at(-index) ?? 0)))).toBeLessThan(0.001);
    }
  });
});

describe('turned', () => {
  test('upside down, a picture is encoded in every codec', async () => {
    for (const codec of ['h264', 'hevc', 'vp9', 'av1']) {
      const done = await speed('plain.mp4', { rate: 2, flip: 'vertical', codec, format: 'mkv' });
      expect(Number(done.duration)).toBeCloseTo(3, 1);
      expect((await streamOf(done.path, 'v')).codec_name).toBe(codec);
    }
  }, 120_000);

  test.each([
    ['plain.mp4', 90, [180, 320]],
    ['plain.mp4', 180, [320, 180]],
    ['plain.mp4', 270, [180, 320]],
    ['hevc.mp4', 90, [180, 320]],
  ])('%s by %d° is a copy of every packet', async (source, rotate, [width, height]) => {
    const done = await speed(source, { rotate });
    expect([done.width, done.height]).toEqual([width, height]);
    expect(dataOf(done)).toMatchObject({ rendered_seconds: 0 });
    expect(await packetHashes(done.path)).toEqual(await packetHashes(fixture(source)));
    const back = await speed(done.path, { rotate: 360 - rotate, flip: 'none' });
    expect(await readNumbers(back.path)).toEqual(await readNumbers(fixture(source)));
  });

  test('what has a display matrix is turned further', async () => {
    const done = await speed('rotated.mp4', { rotate: 270 });
    expect([done.width, done.height]).toEqual([180, 320]);
    expect(dataOf(done).rendered_seconds).toBe(0);
    const back = await speed(done.path, { rotate: 90 });
    expect(await readNumbers(back.path)).toEqual(await readNumbers(fixture('rotated.mp4')));
  });

  test.each(
    sampled(
      [
        [{ rotate: 90, format: 'webm' }, { rotate: 270 }],
        [{ rotate: 90, format: 'mkv' }, { rotate: 270 }],
        [{ flip: 'horizontal' }, { flip: 'horizontal' }],
        [{ flip: 'vertical' }, { flip: 'vertical' }],
        [
          { rotate: 90, flip: 'horizontal' },
          { rotate: 90, flip: 'horizontal' },
        ],
      ],
      3,
    ),
  )(
    'by %o is rendered, and %o turns it back',
    async (request, again) => {
      const done = await speed('plain.mp4', request);
      expect(dataOf(done).copied_seconds).toBe(0);
      const back = await speed(done.path, again);
      expect(await readNumbers(back.path)).toEqual(range(0, FRAMES));
    },
    60_000,
  );

  test('a range is slowed down and the rest is copied, all of it turned', async () => {
    const done = await speed('plain.mp4', { rotate: 90, ranges: [{ start: 2, end: 3, rate: 0.5 }] });
    expect([done.width, done.height]).toEqual([180, 320]);
    expect(dataOf(done).copied_seconds).toBeCloseTo(5, 3);
    const back = await speed(done.path, { rotate: 270 });
    const slowed = range(60, 90).flatMap((number) => [number, number]);
    expect(await readNumbers(back.path)).toEqual([...range(0, 60), ...slowed, ...range(90, FRAMES)]);
  }, 60_000);
});
