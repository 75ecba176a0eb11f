import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { sampled } from '../../sampled.ts';
import { ctx, operate, operateOn, range } from '../operate.ts';
import { makeClock } from './odd-clocks.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-clock-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const RATE = 30;
const FRAMES = 60;
const url = 'https://media.example.com/a.mp4';
const cue = { start: 0.2, end: 0.9, text: 'Hello' };

/** The number of the frame that is shown `at` seconds after the source begins. */
type NumberAt = (at: number) => number;

describe.each(
  sampled(
    [
      'unstated.webm',
      'unstated.mkv',
      'wrapped.ts',
      'late.ts',
      'chapters.mp4',
      'captions.mkv',
      'unstated.flv',
      'fragments.mp4',
      'b-frames.avi',
      'asp.avi',
    ],
    4,
  ),
)('%s', (name) => {
  let path = '';
  let duration = 0;
  let shownAt: NumberAt = () => 0;
  let nearest: NumberAt = () => 0;
  const within = (number: number) => Math.min(FRAMES - 1, Math.max(0, number));

  beforeAll(async () => {
    path = await makeClock(directory, name);
    const format = await demuxerOfFile(path);
    if (!format) throw new Error(`${name} is not media`);
    const probe = await probeMedia(ctx, await completeSource({ path, format }));
    if (probe.still || !probe.video) throw new Error(`${name} does not move`);
    ({ duration } = probe);
    const late = probe.video.startTime - probe.origin;
    shownAt = (at) => within(Math.floor((at - late) * RATE));
    nearest = (at) => within(Math.round((at - late) * RATE));
  });

  test('probe', async () => {
    const { data } = await operate('probe', path, {});
    expect(data.duration).toBe(duration);
  });

  test('frame', async () => {
    const done = await operate('frame', path, { timestamps: [0, 0.518, 1.72] });
    const numbers = await Promise.all(done.files.map((file) => readNumbers(file.path)));
    expect(numbers.flat()).toEqual([0, 0.518, 1.72].map(shownAt));
    const even = await operate('frame', path, { count: 2 });
    const [early = [], later = []] = await Promise.all(even.files.map((file) => readNumbers(file.path)));
    expect(Math.abs((early[0] ?? 0) - shownAt(duration / 4))).toBeLessThan(2);
    expect(Math.abs((later[0] ?? 0) - shownAt((3 * duration) / 4))).toBeLessThan(2);
  });

  test('frame_last', async () => {
    const done = await operate('frame_last', path, {});
    expect(await readNumbers(done.path)).toEqual([FRAMES - 1]);
    expect(done.data.source_duration).toBe(duration);
  });

  test('cut', async () => {
    const done = await operate('cut', path, { start: 0.7, end: 1.5 });
    expect(await readNumbers(done.path)).toEqual(range(nearest(0.7), nearest(1.5)));
    const parts = await operate('cut', path, {
      segments: [
        { start: 0, end: 0.4 },
        { start: 1.1, end: 1.4 },
      ],
    });
    expect(await readNumbers(parts.path)).toEqual([
      ...range(0, nearest(0.4)),
      ...range(nearest(1.1), nearest(1.4)),
    ]);
  });

  test('crop and transcode', async () => {
    const cropped = await operate('crop', path, { aspect_ratio: '16:9' });
    expect(await readNumbers(cropped.path)).toEqual(range(0, FRAMES));
    const coded = await operate('transcode', path, { height: 90 });
    expect(await readNumbers(coded.path)).toEqual(range(0, FRAMES));
    expect(Math.abs((coded.duration ?? 0) - duration)).toBeLessThan(1.5 / RATE);
  });

  test('transcode to sound', async () => {
    const done = await operate('transcode', path, { audio_only: true, format: 'flac' });
    expect(Math.abs((done.duration ?? 0) - duration)).toBeLessThan(0.06);
  });

  test('silence_process', async () => {
    const done = await operate('silence_process', path, { mode: 'mute' });
    expect(await readNumbers(done.path)).toEqual(range(0, FRAMES));
  });

  test('merge_urls', async () => {
    const request = { urls: [url, url], transition: 'none' };
    const done = await operateOn('merge_urls', [path, path], request);
    // Where the picture begins after the sound, its first frame fills the time before it.
    const numbers = (await readNumbers(done.path)).filter((number, at, all) => number !== all[at - 1]);
    expect(numbers).toEqual([...range(0, FRAMES), ...range(0, FRAMES)]);
  });

  test('redub', async () => {
    const done = await operateOn('redub', [path, path], { video_url: url, voice_url: url });
    expect((await readNumbers(done.path)).slice(0, FRAMES)).toEqual(range(0, FRAMES));
  });

  test('captions_auto', async () => {
    const request = { captions: [cue], video_url: url };
    const done = await operateOn('captions_auto', [path], request);
    expect(Math.abs((done.duration ?? 0) - duration)).toBeLessThan(1.5 / RATE);
  });
});
