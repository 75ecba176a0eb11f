import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { OperationData } from '../../../schema/operations/index.ts';
import type { TimeMap } from '../../../schema/task/task.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { pulsesIn, readNumbers, readSound, readTimes, streamOf } from '../../fixtures/barcode.ts';
import { bursts, pauses } from '../../fixtures/bursts.ts';
import { fixture } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, type Done, failureOf, operate, range } from '../operate.ts';

const dataOf = (done: Done) => done.data as OperationData<'silence_process'>;
const silence = (source: string, request: Record<string, unknown> = {}) =>
  operate('silence_process', source, request);

/** Where a moment of the source is in the output. */
function mapped(map: TimeMap, time: number): number {
  const span = map.find((one) => time >= one.in[0] && time < one.in[1]);
  if (!span) return Number.NaN;
  const [[from, to], [outFrom, outTo]] = [span.in, span.out];
  return outFrom + ((time - from) * (outTo - outFrom)) / (to - from);
}

/** The frames that begin in the spans which are kept. */
const framesOf = ({ segments }: OperationData<'silence_process'>, frame: number) =>
  segments
    .filter(({ action }) => action === 'keep')
    .flatMap(({ start, end }) => range(Math.round(start / frame), Math.round(end / frame)));

const fileOf = async (done: Done, role: string) =>
  readFile(done.files.find((file) => file.role === role)?.path ?? '', 'utf8');

/** The timestamp in a source that is shown as time 0. */
async function originOf(source: string): Promise<number> {
  const path = fixture(source);
  const format = await demuxerOfFile(path);
  if (!format) throw new Error(`${source} is not media`);
  return (await probeMedia(ctx, await completeSource({ path, format }))).origin;
}

const speechPulses = bursts.map(([from]) => from + 0.5);
const kept = [
  { start: 0, end: 2.2 },
  { start: 2.9, end: 6.2 },
  { start: 7.9, end: 9.7 },
];

describe('detection', () => {
  test('finds the pauses, and renders nothing', async () => {
    const done = await silence('speech.mp4', { mode: 'detect' });
    const { segments, silence_seconds, noise_floor_db, threshold_db, rendered_seconds } = dataOf(done);
    const heard = segments.filter(({ action }) => action === 'keep');
    expect(heard).toHaveLength(3);
    for (const [index, { start, end }] of heard.entries()) {
      expect(Math.abs(start - (kept[index]?.start ?? 0))).toBeLessThan(0.04);
      expect(Math.abs(end - (kept[index]?.end ?? 0))).toBeLessThan(0.04);
    }
    expect(silence_seconds).toBeCloseTo(12 - 2.2 - 3.3 - 1.8, 0);
    expect(noise_floor_db).toBeLessThan(-70);
    expect(threshold_db).toBe(-60);
    expect(rendered_seconds).toBe(0);
    expect(JSON.parse(await fileOf(done, 'document'))).toEqual(done.data);
    const levels = JSON.parse(await fileOf(done, 'levels'));
    expect(levels.rms_db).toHaveLength(120);
    expect(levels.rms_db[15]).toBeGreaterThan(-20);
    expect(levels.rms_db[70]).toBeLessThan(-70);
  });

  test('leaves what is protected and so much of each silence as is asked for', async () => {
    const done = await silence('speech.mp4', {
      mode: 'detect',
      keep_silence: 0.2,
      protect_ranges: [{ start: 6.8, end: 7.1 }],
    });
    const { segments } = dataOf(done);
    const heard = segments.filter(({ action }) => action === 'keep');
    const expected = [
      [0, 2.3],
      [2.8, 6.3],
      [6.7, 7.2],
      [7.8, 9.9],
    ];
    expect(heard).toHaveLength(expected.length);
    for (const [index, { start, end }] of heard.entries()) {
      expect(Math.abs(start - (expected[index]?.[0] ?? 0))).toBeLessThan(0.05);
      // An end may come up to four frames later, where it spares the rendering of frames.
      const late = end - (expected[index]?.[1] ?? 0);
      expect(late).toBeGreaterThan(-0.05);
      expect(late).toBeLessThan(0.05 + 4 / 30);
    }
  });

  test.each(
    sampled(
      [
        ['mute.mp4', 'all_silent'],
        ['no-sound.mp4', 'source_no_audio'],
        ['sound.mp3', 'source_no_video'],
      ],
      3,
    ),
  )('of %s fails with %s', async (source, code) => {
    expect(await failureOf(silence(source))).toMatchObject({ code });
  });

  test('keeps everything where the sound never pauses', async () => {
    const done = await silence('tone.wav', { audio_url: true, mode: 'detect' });
    expect(dataOf(done).segments).toEqual([{ start: 0, end: 8, action: 'keep' }]);
  });
});

describe('removal', () => {
  test('keeps exactly the frames of the list, and the sound at the same instants', async () => {
    const done = await silence('speech.mp4');
    const data = dataOf(done);
    expect(await readNumbers(done.path)).toEqual(framesOf(data, 1 / 30));
    const times = await readTimes(done.path);
    for (const [index, time] of times.entries()) expect(Math.abs(time - index / 30)).toBeLessThan(0.001);
    const found = pulsesIn(await readSound(done.path));
    const expected = speechPulses.map((pulse) => mapped(done.time_map, pulse));
    expect(found).toHaveLength(expected.length);
    for (const [index, pulse] of found.entries()) {
      expect(Math.abs(pulse - (expected[index] ?? 0))).toBeLessThan(0.001);
    }
    expect(data.saved_seconds).toBeCloseTo(12 - (done.duration ?? 0), 5);
    expect(data.copied_seconds + data.rendered_seconds).toBeCloseTo(done.duration ?? 0, 5);
  });

  test('of 107 pauses at 29.97 neither loses a frame nor lets sound and picture drift', async () => {
    const done = await silence('pauses.mp4', { min_silence: 0.3, padding_before: 0.05, padding_after: 0.05 });
    expect(done.time_map).toHaveLength(pauses.count);
    const numbers = await readNumbers(done.path);
    expect(numbers).toEqual(framesOf(dataOf(done), pauses.frame));
    const times = await readTimes(done.path);
    const found = pulsesIn(await readSound(done.path));
    expect(found).toHaveLength(pauses.count);
    for (const [index, pulse] of found.entries()) {
      const at = numbers.indexOf(index * pauses.frames + pauses.pulse);
      expect(at).toBeGreaterThanOrEqual(0);
      expect(Math.abs(pulse - (times[at] ?? 0))).toBeLessThan(0.002);
    }
    const [video, audio] = [await streamOf(done.path, 'v'), await streamOf(done.path, 'a')];
    expect(Math.abs(Number(video.duration) - Number(audio.duration))).toBeLessThan(0.03);
  });

  test('with the list of a detection gives the same cut', async () => {
    const request = { min_silence: 0.8, padding_after: 0.1 };
    const [removed, detected] = [
      await silence('speech.mp4', request),
      await silence('speech.mp4', { ...request, mode: 'detect' }),
    ];
    expect(dataOf(detected).segments).toEqual(dataOf(removed).segments);
    const applied = await silence('speech.mp4', { segments: dataOf(detected).segments });
    expect(applied.time_map).toEqual(removed.time_map);
    expect(dataOf(applied)).toMatchObject({ segments: dataOf(removed).segments, threshold_db: null });
    expect(await readNumbers(applied.path)).toEqual(await readNumbers(removed.path));
    expect(await readSound(applied.path)).toEqual(await readSound(removed.path));
  });

  test.each(
    sampled(
      [
        ['vfr.mp4', 'uneven'],
        ['vfr.mkv', 'uneven'],
        ['vp9.webm', 'even'],
        ['hevc-10bit.mp4', 'even'],
        ['late.ts', 'even'],
        ['late.mkv', 'even'],
        ['late-video.mkv', 'even'],
        ['short-sound.mp4', 'even'],
        ['rotated.mp4', 'even'],
        ['surround.mp4', 'even'],
        ['edit-list.mp4', 'even'],
        ['ntsc-film.mp4', 'even'],
      ],
      3,
    ),
  )('of a list applied to %s, whose frames are %s', async (source) => {
    const segments = [
      { start: 1, end: 1.5, action: 'silent' },
      { start: 2, end: 2.6, action: 'silent' },
    ];
    const done = await silence(source, { segments });
    const left = dataOf(done).segments.filter(({ action }) => action === 'keep');
    const [numbers, times] = [await readNumbers(fixture(source)), await readTimes(fixture(source))];
    const origin = await originOf(source);
    const moments = times.map((time) => time - origin);
    const uneven = source.startsWith('vfr');
    const near = uneven ? 0.018 : 0.003;
    const shown = left.flatMap(({ start, end }) => {
      const inside = numbers
        .map((_, index) => index)
        .filter((index) => {
          const time = moments[index] ?? 0;
          return time >= start - near && time < end - near;
        });
      const [first = 0] = inside;
      // What is shown at the start of a part has been there before where frames stand unevenly.
      const held = uneven && first > 0 && (moments[first] ?? 0) > start + near;
      return (held ? [first - 1, ...inside] : inside).map((index) => ({
        number: numbers[index],
        time: Math.max(start, moments[index] ?? 0),
      }));
    });
    expect(await readNumbers(done.path)).toEqual(shown.map(({ number }) => number));
    for (const [index, time] of (await readTimes(done.path)).entries()) {
      const before = shown[index]?.time ?? 0;
      expect(Math.abs(time - mapped(done.time_map, before + 0.003) + 0.003)).toBeLessThan(0.034);
    }
    for (const { in: from, out } of done.time_map) {
      expect(from[1] - from[0]).toBeCloseTo(out[1] - out[0], 5);
    }
  });

  test('of sound alone', async () => {
    const done = await silence('speech.mp4', { audio_url: true });
    expect(done.files[0].extension).toBe('m4a');
    const found = pulsesIn(await readSound(done.path));
    expect(found).toHaveLength(4);
    for (const [index, pulse] of found.entries()) {
      const expected = mapped(done.time_map, speechPulses[index] ?? 0);
      expect(Math.abs(pulse - expected)).toBeLessThan(0.001);
    }
  });
});

describe('speeding up', () => {
  test('shows every fourth frame of the pauses on the same grid, and keeps the rest in its place', async () => {
    const done = await silence('speech.mp4', { mode: 'speed_up', silent_speed: 4 });
    const { segments } = dataOf(done);
    const numbers = await readNumbers(done.path);
    const times = await readTimes(done.path);
    for (const [index, time] of times.entries()) expect(Math.abs(time - index / 30)).toBeLessThan(0.001);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    for (const { start, end, action } of segments) {
      const [from, to] = [Math.round(start * 30), Math.round(end * 30)];
      const inside = numbers.filter((number) => number >= from && number < to);
      if (action === 'keep') expect(inside).toEqual(range(from, to));
      else expect(inside).toHaveLength(Math.round((to - from) / 4));
    }
    expect(done.time_map.map((one) => one.in)).toEqual(segments.map(({ start, end }) => [start, end]));
    const found = pulsesIn(await readSound(done.path));
    expect(found).toHaveLength(4);
    for (const [index, pulse] of found.entries()) {
      expect(Math.abs(pulse - mapped(done.time_map, speechPulses[index] ?? 0))).toBeLessThan(0.001);
    }
  });

  test('shows what there is of a picture that begins late', async () => {
    const segments = [
      { start: 0, end: 2, action: 'silent' },
      { start: 4, end: 5, action: 'silent' },
    ];
    const done = await silence('late-video.mkv', { mode: 'speed_up', segments });
    const numbers = await readNumbers(done.path);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.filter((number) => number >= 31 && number < 89)).toEqual(range(31, 89));
    const times = await readTimes(done.path);
    const first = times[numbers.indexOf(31)] ?? 0;
    expect(first).toBeCloseTo(0.5 + 1 / 30, 1);
  });

  test('keeps the times of a varying rate', async () => {
    const segments = [{ start: 1, end: 3, action: 'silent' }];
    const done = await silence('vfr.mp4', { mode: 'speed_up', silent_speed: 2, segments });
    const numbers = await readNumbers(done.path);
    const times = await readTimes(done.path);
    for (const [index, number] of numbers.entries()) {
      expect(Math.abs((times[index] ?? 0) - mapped(done.time_map, number / 30 + 1e-6))).toBeLessThan(0.012);
    }
  });
});

describe('muting', () => {
  test('copies the picture and leaves digital silence', async () => {
    const done = await silence('speech.mp4', { mode: 'mute' });
    expect(dataOf(done)).toMatchObject({ rendered_seconds: 0, copied_seconds: 12, saved_seconds: 0 });
    expect(await readNumbers(done.path)).toEqual(range(0, 360));
    const [before, after] = [await streamOf(fixture('speech.mp4'), 'v'), await streamOf(done.path, 'v')];
    expect(after.extradata_size).toBe(before.extradata_size);
    const sound = await readSound(done.path);
    for (const [from, to] of [
      [6.4, 7.7],
      [9.9, 11.9],
    ] as const) {
      const loudest = sound
        .subarray(from * 48_000, to * 48_000)
        .reduce((most, one) => Math.max(most, one), 0);
      expect(loudest).toBeLessThan(1e-4);
    }
    const found = pulsesIn(sound);
    for (const [index, pulse] of found.entries()) {
      expect(Math.abs(pulse - (speechPulses[index] ?? 0))).toBeLessThan(0.001);
    }
    expect(found).toHaveLength(4);
  });

  test.each(sampled(['late.mkv', 'late-video.mkv', 'rotated.mp4', 'two-tracks.mp4', 'pcm.mov'], 3))(
    'leaves picture and sound of %s together',
    async (source) => {
      const segments = [{ start: 1.5, end: 2.5, action: 'silent' }];
      const done = await silence(source, { mode: 'mute', segments });
      expect(dataOf(done).rendered_seconds).toBe(0);
      expect(await readNumbers(done.path)).toEqual(await readNumbers(fixture(source)));
      const apart = (times: number[], pulses: number[]) => (pulses[0] ?? 0) - (times[0] ?? 0);
      const found = pulsesIn(await readSound(done.path));
      expect(found.length).toBeGreaterThanOrEqual(4);
      expect(found.every((pulse) => pulse < 1.5 || pulse > 2.5)).toBe(true);
      const [times, before] = [await readTimes(done.path), await readTimes(fixture(source))];
      const origin = await originOf(source);
      const expected = apart([(before[0] ?? 0) - origin], pulsesIn(await readSound(fixture(source))));
      expect(Math.abs(apart(times, found) - expected)).toBeLessThan(0.01);
    },
  );

  test('renders where packets cannot be copied', async () => {
    const segments = [{ start: 1, end: 2, action: 'silent' }];
    const done = await silence('edit-list.mp4', { mode: 'mute', segments });
    expect(dataOf(done).copied_seconds).toBe(0);
    expect(await readNumbers(done.path)).toEqual(await readNumbers(fixture('edit-list.mp4')));
    const other = await silence('plain.mp4', { mode: 'mute', segments, format: 'webm' });
    expect(dataOf(other).copied_seconds).toBe(0);
    expect(await readNumbers(other.path)).toEqual(range(0, 180));
  });
});

test('the edit is exported beside the result', async () => {
  const done = await silence('speech.mp4', { mode: 'detect', export: ['edl', 'fcpxml', 'otio', 'csv'] });
  expect(done.files.map(({ role }) => role)).toEqual(['document', 'edl', 'fcpxml', 'otio', 'csv', 'levels']);
  expect(await fileOf(done, 'edl')).toContain('001  AX');
});
