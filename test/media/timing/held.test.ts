import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationData } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import {
  lagOf,
  pulsesIn,
  readColors,
  readNumbers,
  readSound,
  readTimes,
  streamOf,
} from '../../fixtures/barcode.ts';
import { heldSpeech } from '../../fixtures/bursts.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { type Done, operate, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { expectShown, NEAR, shownIn } from './shown.ts';

async function expectEnds(done: Done): Promise<void> {
  const [video, audio] = [await streamOf(done.path, 'v'), await streamOf(done.path, 'a')];
  expect(Math.abs(Number(video.duration) - (done.duration ?? 0))).toBeLessThan(0.02);
  expect(Math.abs(Number(video.duration) - Number(audio.duration))).toBeLessThan(0.05);
}

describe('a cut shows what is shown at its start, however long that has been there', () => {
  test.each(
    sampled(
      [
        ['held.mp4', { start: 2, end: 4 }],
        ['held.mp4', { start: 1, end: 2.5 }],
        ['held.mp4', { start: 0.3, end: 9.2 }],
        ['held.mp4', { start: 2.99, end: 6.4 }],
        ['held.mp4', { start: 4.1, end: 14 }],
        ['held.mp4', { start: 3, end: 5 }],
        ['held.mp4', { start: 13.2, end: 13.9 }],
        ['freeze.mp4', { start: 3.5, end: 6 }],
        ['slides.mp4', { start: 3, end: 5 }],
        ['slides.mp4', { start: 4, end: 9 }],
        ['slides.mp4', { start: 11.5, end: 11.9 }],
        ['held.mp4', { start: 2, end: 4, quality: 'high' }],
        ['slides.mp4', { start: 3, end: 5, quality: 'high' }],
        ['held.mp4', { start: 2, end: 4, format: 'mov' }],
      ],
      3,
    ),
  )('%s %o', async (source, request) => {
    const done = await operate('cut', source, request);
    await expectShown(done, fixture(source));
    await expectEnds(done);
    const [start = 0] = done.time_map[0]?.in ?? [];
    expect(Math.abs(start - request.start)).toBeLessThan(NEAR);
    const whole = await readSound(fixture(source));
    const from = Math.round(start * 48_000);
    const found = await readSound(done.path);
    expect(Math.abs(lagOf(found, whole.subarray(from, from + found.length)))).toBeLessThanOrEqual(1);
  });

  test.each(
    sampled(
      [
        [
          'slides.mp4',
          [
            [3, 5],
            [10.5, 11.5],
          ],
        ],
        [
          'held.mp4',
          [
            [2, 4],
            [1.2, 1.9],
            [5, 6.5],
          ],
        ],
        [
          'held.mp4',
          [
            [2, 4],
            [4, 5],
            [5, 6.5],
          ],
        ],
        [
          'freeze.mp4',
          [
            [3.5, 3.8],
            [0.21, 1],
            [3.7, 6],
          ],
        ],
      ],
      3,
    ),
  )('in segments: %s %j', async (source, spans) => {
    const segments = spans.map(([start, end]) => ({ start, end }));
    const done = await operate('cut', source, { segments });
    await expectShown(done, fixture(source));
    await expectEnds(done);
    const high = await operate('cut', source, { segments, quality: 'high' });
    await expectShown(high, fixture(source));
    await expectEnds(high);
  });
});

describe('the silences of a video whose frames are held', () => {
  const dataOf = (done: Done) => done.data as OperationData<'silence_process'>;

  test.each(
    sampled(
      [
        ['remove', 'held.mp4'],
        ['remove', 'slides.mp4'],
        ['speed_up', 'held.mp4'],
        ['mute', 'held.mp4'],
      ],
      3,
    ),
  )('lose nothing of what is heard: %s %s', async (mode, source) => {
    const done = await operate('silence_process', source, { mode });
    const { segments } = dataOf(done);
    const kept = segments.filter(({ action }) => action === 'keep');
    const heard = heldSpeech;
    expect(kept).toHaveLength(heard.length);
    for (const [index, { start, end }] of kept.entries()) {
      const [from = 0, to = 0] = heard[index] ?? [];
      // Padding is 0.1 s before and 0.2 s behind; half of the first may be lost where that spares rendering.
      expect(start).toBeLessThan(from - 0.04);
      expect(start).toBeGreaterThan(from - 0.1 - 0.3 - 0.02);
      expect(end).toBeGreaterThan(Math.min(done.duration ?? 0, to + 0.17));
    }
    await expectShown(done, fixture(source));
    // What mutes leaves all packets of the picture, and the last frame as short as they say.
    if (mode !== 'mute') await expectEnds(done);
    const found = pulsesIn(await readSound(done.path));
    const wanted = heard.map(([from]) => {
      const span = done.time_map.find(({ in: [start, end] }) => from + 0.5 >= start && from + 0.5 < end);
      return (span?.out[0] ?? 0) + from + 0.5 - (span?.in[0] ?? 0);
    });
    expect(found).toHaveLength(wanted.length);
    for (const [index, pulse] of found.entries())
      expect(Math.abs(pulse - (wanted[index] ?? 0))).toBeLessThan(0.001);
  });
});

test.each(sampled([0.37, 0.45, 0.49], 3))(
  'segments of seven frames a second may end %s of a frame after its start',
  async (share) => {
    const path = join(scratch(), 'seven.ogv');
    const slow = ['-vf', 'fps=7', '-c:v', 'libtheora', '-q:v', '7', '-an'];
    await run(programs, 'ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      fixture('plain.mp4'),
      '-t',
      '2',
      ...slow,
      path,
    ]);
    const segments = [
      { start: 0, end: (4 + share) / 7 },
      { start: 8.3 / 7, end: 2 },
    ];
    const done = await operate('cut', path, { segments });
    const numbers = await readNumbers(path);
    expect(await readNumbers(done.path)).toEqual([...numbers.slice(0, 5), ...numbers.slice(8, 14)]);
    expect((await readTimes(done.path))[5]).toBeCloseTo((4 + share) / 7, 3);
  },
);

test('the first frame of an AVI is shown until the next, where the chunks between them are empty', async () => {
  // The muxer fills the time up to the second frame; frames are reordered, and only decoding tells their times.
  const [early, path] = [join(scratch(), 'early.mkv'), join(scratch(), 'gap.avi')];
  const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-y', ...args]);
  const reordered = ['-c:v', 'mpeg4', '-bf', '2', '-q:v', '4', '-c:a', 'mp3'];
  await ffmpeg(
    '-i',
    fixture('plain.mp4'),
    '-itsoffset',
    '-0.3',
    '-i',
    fixture('plain.mp4'),
    ...[...['-map', '0:v', '-map', '1:a', '-t', '3', ...reordered, early]],
  );
  await ffmpeg('-i', early, '-c', 'copy', path);
  const chunks = await run(programs, 'ffprobe', [
    ...['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=dts_time', '-of', 'csv=p=0', path],
  ]);
  const [first = 0, second = 0] = chunks.stdout.split('\n').map(Number);
  expect(second - first).toBeGreaterThan(0.2);
  const done = await operate('transcode', path, { quality: 'low' });
  expect((await readNumbers(done.path)).slice(0, 4)).toEqual([0, 1, 2, 3]);
  const times = await readTimes(done.path);
  expect(times[0]).toBeLessThan(0.05);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeCloseTo(second - first, 1);
});

describe('a merge whose first clip holds its frames', () => {
  test.each(sampled(['held.mp4', 'slides.mp4', 'freeze.mp4'], 3))(
    'has the rate of the fastest: %s',
    async (first) => {
      const files = [first, 'plain.mp4'];
      const urls = files.map((_, index) => `https://media.example.com/${index}`);
      const done = await operateOn('merge_urls', files, { urls, fps: undefined });
      expect(done.fps).toBe(30);
      await expectEnds(done);
      const found = await shownIn(done.path);
      const [wanted, behind] = [await shownIn(fixture(first)), done.time_map[1]?.out[0] ?? 0];
      for (let time = 0.25; time < behind; time += 0.5) {
        expect([time - NEAR, time, time + NEAR].map(wanted)).toContain(found(time));
      }
      expect(found(behind + 1.01)).toBe(30);
    },
  );
});

describe('a fade of pictures that are shown for long', () => {
  test('changes them all the same, at a constant rate', async () => {
    const done = await operate('cut', 'slides.mp4', { start: 0, end: 9, fade_in: 1, fade_out: 1 });
    expect(done.warnings).toMatchObject([{ code: 'source_vfr', detail: expect.stringContaining('24 fps') }]);
    const light = (await readColors(done.path)).map(({ r, g, b }) => r + g + b);
    expect(light).toHaveLength(9 * 24);
    const [full = 0] = light.slice(4 * 24);
    expect(light[0]).toBeLessThan(12);
    expect((light[12] ?? 0) / full).toBeCloseTo(0.5, 1);
    expect((light[8.5 * 24] ?? 0) / full).toBeCloseTo(0.5, 1);
  });

  test('is warned of where ranges are joined, and needs no other rate where it ends with a picture', async () => {
    const segments = [
      { start: 0, end: 3 },
      { start: 5, end: 9 },
    ];
    const joined = await operate('cut', 'slides.mp4', { segments, fade_in: 0.5 });
    expect(joined.warnings.map(({ detail }) => detail)).toContainEqual(expect.stringContaining('In a fade'));
    const short = await operate('cut', 'slides.mp4', { start: 0, end: 9, fade_in: 0.05 });
    expect(short.warnings.filter(({ detail }) => detail.includes('constant'))).toEqual([]);
  });
});

describe('a keyframe cut', () => {
  test.each(
    sampled(
      [
        ['held.mp4', { start: 0, end: 5 }],
        ['held.mp4', { start: 6.5, end: 8 }],
        ['plain.mp4', { start: 1.2, end: 3.4 }],
        ['long-gop.mp4', { start: 0, end: 3.33 }],
      ],
      3,
    ),
  )('begins at a keyframe, and ends picture and sound together: %s %o', async (source, span) => {
    const done = await operate('cut', source, { ...span, mode: 'keyframe' });
    expect(done.data.rendered_seconds).toBe(0);
    expect(done.time_map[0]?.in[0]).toBeLessThanOrEqual(span.start);
    await expectShown(done, fixture(source));
    await expectEnds(done);
    const whole = await readSound(fixture(source));
    const from = Math.round((done.time_map[0]?.in[0] ?? 0) * 48_000);
    const found = await readSound(done.path);
    expect(Math.abs(lagOf(found, whole.subarray(from, from + found.length)))).toBeLessThanOrEqual(1);
  });

  test('of which an edit list hides the keyframe begins where it is asked to', async () => {
    const done = await operate('cut', 'edit-list.mp4', { start: 0, end: 3.7, mode: 'keyframe' });
    expect(done.time_map[0]?.in[0]).toBe(0);
    expect((await readNumbers(done.path))[0]).toBe(45);
    await expectEnds(done);
  });

  test('in segments lasts as long as its frames are shown', async () => {
    const segments = [
      { start: 3.1, end: 5 },
      { start: 0, end: 2 },
    ];
    const done = await operate('cut', 'held.mp4', { segments, mode: 'keyframe' });
    await expectShown(done, fixture('held.mp4'));
  });
});

describe('a file that is rendered is as long as was planned', () => {
  test.each(
    sampled(
      [
        ['held.mp4', { format: 'mp4' }],
        ['held.mp4', { format: 'mkv' }],
        ['held.mp4', { format: 'webm' }],
        ['vfr.mkv', { format: 'mp4' }],
        ['vfr.mkv', { format: 'mkv' }],
      ],
      3,
    ),
  )('%s %o', async (source, request) => {
    for (const range of [
      { start: 2, end: 4 },
      {
        segments: [
          { start: 0.5, end: 2 },
          { start: 3.1, end: 4.5 },
        ],
      },
    ]) {
      const done = await operate('cut', source, { ...range, ...request, quality: 'high' });
      const { stdout } = await run(programs, 'ffprobe', [
        ...['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', done.path],
      ]);
      expect(Math.abs(Number(stdout) - (done.duration ?? 0))).toBeLessThan(0.05);
    }
  });
});

test.each(
  sampled(
    [
      ['vfr.mp4', 2.6],
      ['vfr.mkv', 4.3],
    ] as const,
    3,
  ),
)('a cut of %s up to %d s ends with its last frame, as its tracks and its movie say', async (source, end) => {
  const done = await operate('cut', source, { start: 0.63, end });
  expect(done.data.copied_seconds).toBeGreaterThan(1);
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', done.path];
  const { stdout } = await run(programs, 'ffprobe', args);
  expect(Number(stdout)).toBeCloseTo(done.duration ?? 0, 3);
  expect(Number((await streamOf(done.path, 'v')).duration)).toBeCloseTo(done.duration ?? 0, 3);
});
