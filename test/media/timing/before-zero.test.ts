import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 30;
const FRAMES = 180;

/** Matroska whose first second lies before 0, as ffmpeg writes it when asked not to shift times; it states none of these times. */
async function early(name: string, codecs: readonly string[]): Promise<string> {
  const path = join(scratch(), name);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), ...codecs],
    ...['-output_ts_offset', '-1', '-avoid_negative_ts', 'disabled', path],
  ]);
  return path;
}

const sources: [string, string][] = [
  ['H.264 with AAC', await early('early.mkv', ['-c', 'copy'])],
  [
    'H.264 with B-frames',
    await early('early-b.mkv', ['-c:v', 'libx264', '-bf', '2', '-g', '30', '-c:a', 'copy']),
  ],
  ['VP8 with Opus', await early('early.webm', [...VP8, '-b:v', '2M', '-g', '30', '-c:a', 'libopus'])],
];

describe.each(sampled(sources, 3))('Matroska that begins before 0, of %s,', (_, source) => {
  test('is cut where it is asked for', async () => {
    const { path } = await operate('cut', source, { start: 0.5, end: 3 });
    const numbers = await readNumbers(path);
    expect(numbers).toEqual(range(numbers[0] ?? 0, (numbers[0] ?? 0) + numbers.length));
    expect(Math.abs((numbers[0] ?? 0) - 0.5 * RATE)).toBeLessThanOrEqual(1);
    const clicks = await readPulses(path);
    const shown = (numbers[0] ?? 0) / RATE;
    for (const click of clicks)
      expect(Math.abs(click + shown - Math.round(click + shown))).toBeLessThan(0.03);
    expect(clicks.length).toBeGreaterThanOrEqual(2);
  }, 60_000);

  test('is copied with all of its frames', async () => {
    const { path } = await operate('remux', source, { format: 'mkv' });
    expect(await readNumbers(path)).toEqual(range(0, FRAMES));
  }, 60_000);

  test('is merged with all of its frames', async () => {
    const { path } = await operateOn('merge_urls', [source, source], {
      video_urls: ['https://media.example.com/a', 'https://media.example.com/b'],
    });
    expect(await readNumbers(path)).toEqual([...range(0, FRAMES), ...range(0, FRAMES)]);
  }, 60_000);
});
