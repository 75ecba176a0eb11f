import { copyFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses, readSound, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { likeness } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { documents, mediaOf } from './documents.ts';

const { clip, gap, dissolve, timeline } = documents(30);

const render = (otio: object, files: readonly string[], request: Record<string, unknown> = {}) =>
  operateOn('timeline', files, { otio, media: mediaOf(files), ...request });

const PLAIN = 'plain.mp4';
/** As plain.mp4: frames of 1/30 s with their numbers, a pulse at every full second. */
const OTHER = 'open-gop.mp4';

const black = (frames: number) => Array.from({ length: frames }, () => 0);
const frozen = (number: number, frames: number) => Array.from({ length: frames }, () => number);

function expectPulses(found: readonly number[], due: readonly number[], most = 0.003): void {
  expect(found).toHaveLength(due.length);
  for (const [index, time] of due.entries()) {
    expect(Math.abs((found[index] ?? Number.NaN) - time), `pulse at ${time} s`).toBeLessThan(most);
  }
}

describe('clips of several sources', () => {
  test('come with gaps between, and their sound lies where its own tracks have it', async () => {
    const otio = timeline(
      [clip(PLAIN, 20, 50), gap(15), clip(OTHER, 7, 40), clip(PLAIN, 100, 25)],
      [clip(PLAIN, 20, 50), gap(15), clip(OTHER, 7, 40)],
      [gap(80), clip(PLAIN, 75, 50)],
    );
    const done = await render(otio, [PLAIN, OTHER]);
    expect(await readNumbers(done.path)).toEqual([
      ...range(20, 70),
      ...black(15),
      ...range(7, 47),
      ...range(100, 125),
    ]);
    for (const [index, time] of (await readTimes(done.path)).entries()) {
      expect(Math.abs(time - index / 30)).toBeLessThan(0.0011);
    }
    // Of the first track the pulses at frames 30, 60 and 30 of the sources; of the second those at 90 and 120.
    expectPulses(
      await readPulses(done.path),
      [10, 40, 65 + 23, 80 + 15, 80 + 45].map((frame) => frame / 30),
    );
    expect(done.data.copied_seconds).toBeGreaterThan(1);
    expect(done.time_map).toEqual([
      { source: 0, in: [0.666667, 2.333333], out: [0, 1.666667] },
      { source: 1, in: [0.233333, 1.566667], out: [2.166667, 3.5] },
      { source: 0, in: [3.333333, 4.166667], out: [3.5, 4.333333] },
    ]);
  });

  test('are at the frame rate of the output although the clock of the source counts other frames', async () => {
    const counted = join(scratch(), 'counted.mp4');
    const copied = ['-i', fixture(PLAIN), '-map', '0:v', '-c', 'copy', '-video_track_timescale', '30'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...copied, counted]);
    const media = mediaOf(['counted.mp4']);
    const otio = timeline([clip('counted.mp4', 0, 100), gap(10)]);
    const own = await operateOn('timeline', [counted], { otio, media });
    expect(await readNumbers(own.path)).toEqual([...range(0, 100), ...black(10)]);
    expect(own.data.copied_seconds).toBeGreaterThan(1);
    const other = await operateOn('timeline', [counted], { otio, media, fps: 25 });
    const times = await readTimes(other.path);
    expect(times).toHaveLength(92);
    for (const [index, time] of times.entries()) expect(Math.abs(time - index / 25)).toBeLessThan(0.0011);
  });

  describe('where the sound of their media is longer than the picture', () => {
    const LONG = 'long-sound.mp4';
    beforeAll(async () => {
      const picture = ['-t', '2', '-i', fixture(PLAIN)];
      const inputs = [...picture, '-f', 'lavfi', '-i', 'sine=d=4', '-map', '0:v', '-map', '1'];
      const coded = ['-c:v', 'libx264', '-g', '30', '-c:a', 'aac', join(scratch(), LONG)];
      await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...inputs, ...coded]);
    });
    const made = (otio: object, request: object) => {
      const files = [join(scratch(), LONG), PLAIN];
      return operateOn('timeline', files, { otio, media: mediaOf([LONG, PLAIN]), ...request });
    };

    test.each([{}, { width: 320 }])('the last frame stays: %j', async (request) => {
      const otio = timeline([clip(LONG, 75, 30), clip(LONG, 50, 40), clip(PLAIN, 0, 30)]);
      const done = await made(otio, request);
      const shown = [...frozen(59, 30), ...range(50, 60), ...frozen(59, 30), ...range(0, 30)];
      expect(await readNumbers(done.path)).toEqual(shown);
    });

    test.each([{}, { width: 320 }])('it is what a dissolve begins with: %j', async (request) => {
      const otio = timeline([clip(LONG, 45, 50), dissolve(10, 10), clip(PLAIN, 40, 40)]);
      const done = await made(otio, request);
      const numbers = await readNumbers(done.path);
      expect(numbers).toHaveLength(90);
      expect(numbers.slice(0, 40)).toEqual([...range(45, 60), ...frozen(59, 25)]);
      expect(numbers.slice(60)).toEqual(range(50, 80));
    });
  });

  test('cover what lower tracks have, whose pictures show through gaps', async () => {
    const otio = timeline([clip(PLAIN, 10, 100)]);
    const over = [gap(30), clip(OTHER, 7, 40)];
    otio.tracks.children.push({ OTIO_SCHEMA: 'Track.1', kind: 'Video', children: over });
    const done = await render(otio, [PLAIN, OTHER]);
    const shown = [...range(10, 40), ...range(7, 47), ...range(80, 110)];
    expect(await readNumbers(done.path)).toEqual(shown);
    expect(done.data.copied_seconds).toBeGreaterThan(0.5);
  });

  test('are refused over others if they are transparent', async () => {
    const clear = join(scratch(), 'clear.mov');
    const picture = ['-f', 'lavfi', '-i', 'color=red@0.5:s=64x36:r=30:d=1,format=argb'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...picture, '-c:v', 'qtrle', clear]);
    const otio = timeline([clip(PLAIN, 10, 60)]);
    const over = [gap(30), clip('clear.mov', 0, 20)];
    otio.tracks.children.push({ OTIO_SCHEMA: 'Track.1', kind: 'Video', children: over });
    const request = { otio, media: mediaOf([PLAIN, 'clear.mov']) };
    expect(await failureOf(operateOn('timeline', [PLAIN, clear], request))).toMatchObject({
      code: 'source_transparent',
      detail: expect.stringContaining('otio.tracks.children[1].children[1] lies over clips'),
    });
  });

  test('are alike where two of them are of one source, whichever comes first in it', async () => {
    for (const [before, after] of [
      [10, 100],
      [110, 20],
    ] as const) {
      const joined = (other: string) =>
        timeline([clip(PLAIN, before, 50), dissolve(6, 6), clip(other, after, 50)]);
      const one = await render(joined(PLAIN), [PLAIN]);
      expect(one.data.copied_seconds).toBeGreaterThan(0.5);
      const twice = join(scratch(), 'again.mp4');
      await copyFile(fixture(PLAIN), twice);
      const media = mediaOf([PLAIN, 'again.mp4']);
      const two = await operateOn('timeline', [PLAIN, twice], { otio: joined('again.mp4'), media });
      const psnr = await likeness(one.path, two.path);
      expect(psnr).toHaveLength(100);
      expect(Math.min(...psnr)).toBeGreaterThan(40);
    }
  });

  test('are joined by a dissolve that shows both beyond their ranges, and the sound crosses over', async () => {
    const otio = timeline(
      [dissolve(0, 6), clip(PLAIN, 62, 50), dissolve(4, 8), clip(OTHER, 65, 60), dissolve(5, 0)],
      [clip(PLAIN, 62, 50), dissolve(4, 8), clip(OTHER, 65, 60)],
    );
    const done = await render(otio, [PLAIN, OTHER]);
    const numbers = await readNumbers(done.path);
    expect(numbers).toHaveLength(110);
    // Outside of the transitions.
    expect(numbers.slice(6, 46)).toEqual(range(68, 108));
    expect(numbers.slice(58, 105)).toEqual(range(73, 120));
    expectPulses(
      await readPulses(done.path),
      [28, 75, 105].map((frame) => frame / 30),
    );
    const sound = await readSound(done.path);
    expect(Math.abs(sound.length / 48_000 - 110 / 30)).toBeLessThan(0.05);
  });

  test('play at rates and hold frames, in pictures of another rate', async () => {
    const otio = timeline(
      [clip(PLAIN, 30, 20, 2), clip(OTHER, 50, 10, 0), clip(PLAIN, 90, 40, 0.5)],
      [clip(PLAIN, 30, 20, 2), gap(10), clip(PLAIN, 90, 40, 0.5)],
    );
    const done = await render(otio, [PLAIN, OTHER], { pitch: 'follow' });
    const numbers = await readNumbers(done.path);
    const half = range(0, 20).flatMap((index) => [90 + index, 90 + index]);
    expect(numbers).toEqual([...range(0, 20).map((index) => 30 + 2 * index), ...frozen(50, 10), ...half]);
    expectPulses(
      await readPulses(done.path),
      [0, 15, 30].map((frame) => frame / 30),
      0.01,
    );
    const slower = await render(otio, [PLAIN, OTHER], { fps: 15 });
    expect(await readNumbers(slower.path)).toHaveLength(35);
    expect(slower.fps).toBe(15);
  });

  test.each(sampled([{}, { quality: 'high' }], 3))(
    'come from anywhere in their source, at rates too (%o)',
    async (request) => {
      const items = [
        clip(PLAIN, 100, 40),
        clip(PLAIN, 50, 15, 2),
        clip(PLAIN, 20, 20),
        clip(PLAIN, 20, 30, 0.5),
      ];
      const done = await render(timeline(items, items), [PLAIN], { pitch: 'follow', ...request });
      expect(await readNumbers(done.path)).toEqual([
        ...range(100, 140),
        ...range(0, 15).map((index) => 50 + 2 * index),
        ...range(20, 40),
        ...range(20, 35).flatMap((number) => [number, number]),
      ]);
      // The pulses at frames 120, 60, 30 and 30 of the source.
      expectPulses(
        await readPulses(done.path),
        [20, 45, 65, 95].map((frame) => frame / 30),
      );
    },
  );

  test.each(sampled([{}, { fps: 30 }], 3))(
    'are counted from the first frame of a file whose index names none of them (%o)',
    async (request) => {
      for (const start of [0, 3, 7, 13, 115, 162]) {
        const done = await render(timeline([clip('plain.mkv', start, 10)]), ['plain.mkv'], request);
        expect(await readNumbers(done.path)).toEqual(range(start, start + 10));
        // Frames that the list of packets lacks at its end would make the frame rate look variable.
        expect(done.warnings).toEqual([]);
      }
    },
  );

  test.each(sampled([{}, { fps: 30 }], 3))(
    'last as long as their media at their rate without a range (%o)',
    async (request) => {
      for (const rate of [2, 0.5, 0]) {
        const { source_range: _, ...whole } = clip(PLAIN, 0, 0, rate);
        const done = await render(timeline([whole]), [PLAIN], request);
        expect(done.duration).toBeCloseTo(rate === 0 ? 6 : 6 / rate, 1);
        expect((await readNumbers(done.path)).at(-1)).toBeGreaterThanOrEqual(rate === 0 ? 0 : 178);
      }
    },
  );

  test('may be sound alone, with tracks of several lengths', async () => {
    const files = ['sound.m4a', 'sound.flac'];
    const otio = timeline(null, [clip('sound.m4a', 15, 60)], [gap(75), clip('sound.flac', 60, 45)]);
    const done = await render(otio, files);
    expect(done).toMatchObject({ width: null, duration: 4 });
    expectPulses(
      await readPulses(done.path),
      [15, 45, 75, 105].map((frame) => frame / 30),
    );
  });

  test('leave no sound between steps on the disk, however many tracks there are', async () => {
    const files = ['sound.m4a', 'sound.flac'];
    const otio = timeline(
      null,
      [clip('sound.m4a', 15, 60, 2), clip('sound.flac', 20, 20), gap(70)],
      [gap(75), clip('sound.flac', 60, 45), dissolve(5, 5), clip('sound.m4a', 10, 30)],
      [gap(110), clip('sound.m4a', 30, 20)],
    );
    const done = await render(otio, files, { pitch: 'keep' });
    expect(done.duration).toBe(5);
    const heard = await readPulses(done.path);
    expectPulses(
      heard.filter((time) => time > 2.4 && time < 3.9),
      [75, 105, 110].map((frame) => frame / 30),
    );
    expect((await readdir(dirname(done.path))).filter((name) => name.endsWith('.raw'))).toEqual([]);
  });
});

describe('a document of random items', () => {
  /** A generator of numbers that a test can repeat. */
  const random = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };

  test.each(sampled([1, 2, 3, 4], 3))('shows and plays what an independent model says (%d)', async (seed) => {
    const next = random(seed * 7919);
    const pick = (from: number, to: number) => from + Math.floor(next() * (to - from));
    const expected: number[] = [];
    const due: number[] = [];
    const items = Array.from({ length: 7 }, () => {
      const [file, length, start] = [next() < 0.5 ? PLAIN : OTHER, pick(5, 35), pick(0, 130)];
      const at = expected.length;
      const kind = next();
      if (kind < 0.2) {
        expected.push(...black(length));
        return { picture: gap(length), sound: gap(length) };
      }
      if (kind < 0.3) {
        expected.push(...frozen(start, length));
        return { picture: clip(file, start, length, 0), sound: gap(length) };
      }
      expected.push(...range(start, start + length));
      const silent = next() < 0.3;
      const pulses = [30, 60, 90, 120, 150].filter((frame) => frame >= start && frame < start + length - 1);
      if (!silent) due.push(...pulses.map((frame) => (at + frame - start) / 30));
      return { picture: clip(file, start, length), sound: silent ? gap(length) : clip(file, start, length) };
    });
    const otio = timeline(
      items.map(({ picture }) => picture),
      items.map(({ sound }) => sound),
    );
    const used = [PLAIN, OTHER].filter((file) => JSON.stringify(otio).includes(file));
    const done = await render(otio, used);
    expect(await readNumbers(done.path)).toEqual(expected);
    expectPulses(await readPulses(done.path), due);
  });
});

describe('what only the media can tell names its place in the document', () => {
  test.each(
    sampled(
      [
        [
          timeline([clip(PLAIN, 170, 30)]),
          'otio.tracks.children[0].children[0] ends at 6.667 s of its media',
        ],
        [timeline([clip(PLAIN, 0, 30), clip(PLAIN, 400, 30)]), 'children[1] begins at 13.333 s of its media'],
        [
          timeline([clip(PLAIN, 0, 30), dissolve(5, 5), clip(PLAIN, 0, 30)]),
          'children[2] needs 0.167 s before its range, but there are only 0 s of its media for the transition. Use a shorter transition, or start the clip later.',
        ],
      ],
      3,
    ),
  )('%#', async (otio, detail) => {
    const failure = await failureOf(render(otio, [PLAIN]));
    expect(failure.code).toBe('time_out_of_range');
    expect(failure.detail).toContain(detail);
  });

  test('also a track of sound whose media has none', async () => {
    const otio = timeline([clip('no-sound.mp4', 0, 30)], [gap(3), clip('no-sound.mp4', 0, 20)]);
    expect(await failureOf(render(otio, ['no-sound.mp4']))).toEqual({
      code: 'source_no_audio',
      detail: 'otio.tracks.children[1].children[1] is on a track of sound, but its media has none.',
    });
  });
});
