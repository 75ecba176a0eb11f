import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { failureOf, operate, operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { expectRead, pulsesWithFrames } from './pulses-with-frames.ts';

/** Recordings that were joined byte by byte, each with a clock of its own, as segments of a stream with advertisements are. */
const SECONDS = 2;
const RATE = 30;

async function joined(name: string, begins: readonly number[]): Promise<string> {
  const parts: Buffer[] = [];
  for (const [index, begin] of begins.entries()) {
    const part = join(scratch(), `part-${index}-${name}`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', '-ss', `${index * SECONDS}`, '-t', `${SECONDS}`, '-i', fixture('plain.mp4')],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', '-bf', '2', '-c:a', 'aac'],
      ...['-output_ts_offset', `${begin}`, part],
    ]);
    parts.push(await readFile(part));
  }
  const path = join(scratch(), name);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

describe.each([
  ['with a clock that begins again', [0, 0, 0]],
  ['with a clock that jumps ahead and back', [0, 1000, 0]],
  ['of which each begins a tenth of a second before the last one ends', [0, 1.9, 3.8]],
  ['of which each begins two frames before the last one ends', [0, 1.933333, 3.866667]],
  ['with a pause of a second and one of an hour', [0, SECONDS + 1, 3600]],
])('joined recordings %s', (name, begins) => {
  test('are shown one after another', async () => {
    const path = await joined(`${name.replaceAll(' ', '-')}.ts`, begins);
    await expectRead(path, 3 * SECONDS * RATE);
    const sound = await operate('transcode', path, { format: 'wav', audio_only: true });
    expect((await readPulses(sound.path)).length).toBeGreaterThan(4);
  }, 60_000);
});

/** Bytes before the first tag of an FLV: its header, and the size of no tag (Adobe Flash Video File Format, annex E.2 and E.3). */
const FLV_HEADER = 13;

/** A recording that a recorder of live streams goes on with after each pause: its clock begins again. */
async function resumed(name: string, encoders: readonly (readonly string[])[]): Promise<string> {
  const parts: Buffer[] = [];
  for (const [index, encoder] of encoders.entries()) {
    const part = join(scratch(), `part-${index}-${name}`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', '-ss', `${index * SECONDS}`, '-t', `${SECONDS}`, '-i', fixture('plain.mp4')],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', ...encoder, '-c:a', 'aac', '-bitexact', part],
    ]);
    const bytes = await readFile(part);
    parts.push(index === 0 ? bytes : bytes.subarray(FLV_HEADER));
  }
  const path = join(scratch(), name);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

const PLAIN = ['-bf', '2'];
const OTHER = ['-bf', '0', '-profile:v', 'baseline'];

describe.each([
  ['with the same encoder', [PLAIN, PLAIN, PLAIN]],
  ['with another encoder', [PLAIN, OTHER, OTHER]],
  ['with another encoder, and then the first one', [PLAIN, OTHER, PLAIN]],
])('an FLV that goes on %s', (name, encoders) => {
  const frames = encoders.length * SECONDS * RATE;

  test('shows one recording after another', async () => {
    const path = await resumed(`${name.replaceAll(' ', '-')}.flv`, encoders);
    const whole = await operate('transcode', path, { quality: 'low' });
    expect(await readNumbers(whole.path)).toEqual(range(0, frames));
    await pulsesWithFrames(whole.path);
    for (const [from, to] of [
      [70, 110],
      [95, 170],
      [125, 175],
    ] as const) {
      const part = await operate('cut', path, { start: from / RATE, end: to / RATE });
      const numbers = await readNumbers(part.path);
      // The source begins with its sound, and where it goes on, with whichever lasts longer.
      const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
      expect(Math.abs(first - from)).toBeLessThan(5);
      expect(Math.abs(last + 1 - to)).toBeLessThan(5);
      expect(numbers).toEqual(range(first, last + 1));
    }
    const urls = ['https://a.example/1', 'https://a.example/2'];
    const merged = await readNumbers(
      (await operateOn('merge_urls', [path, path], { video_urls: urls })).path,
    );
    // At an even frame rate, a frame is repeated while nothing goes on.
    const shown = merged.filter((number, at) => number !== merged[at - 1]);
    expect(shown).toEqual([...range(0, frames), ...range(0, frames)]);
  }, 120_000);
});

test.each(['restarted.ts', 'restarted.mkv'])(
  '/remux names why %s fails, whose clock begins again',
  async (name) => {
    const coded = ['-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac'];
    const path = join(scratch(), name);
    const args = ['-v', 'error', '-y', '-t', `${SECONDS}`, '-i', fixture('plain.mp4'), ...coded, path];
    await run(programs, 'ffmpeg', args);
    const once = await readFile(path);
    await writeFile(path, Buffer.concat([once, once]));
    const request = { video_url: 'https://media.example.com/a', format: 'mkv' };
    const { code, detail } = await failureOf(operateOn('remux', [path], request));
    expect(code).toBe('source_damaged');
    expect(detail).toMatch(/several recordings, .* its clock begins again at .* \/merge_urls joins them\./);
  },
  60_000,
);
