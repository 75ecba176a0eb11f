import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { LibavFailure } from '../../../transcoder/media/libav/pool.ts';
import { lagOf, readPulses, readSound } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { type Answers, libav, operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Matroska rounds times to milliseconds: half of one, and what the decoder of another rate adds. Samples of 48,000 a second. */
const ROUNDED = 30;

const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

async function made(name: string, ...args: string[]): Promise<string> {
  const path = join(scratch(), name);
  await ffmpeg('-i', fixture('plain.mp4'), '-c', 'copy', ...args, path);
  return path;
}

/** Hashes of the packets of the sound, in their order; behind them are the hashes of their side data. */
async function hashesOf(path: string): Promise<string[]> {
  const to = ['-map', '0:a', '-c', 'copy', '-f', 'framemd5', '-'];
  const { stdout } = await run(programs, 'ffmpeg', ['-v', 'error', '-i', path, ...to]);
  return stdout.split('\n').flatMap((line) => (/^\d/.test(line) ? (line.split(',')[5]?.trim() ?? []) : []));
}

describe('sound of Matroska in a cut to mp4', () => {
  test.each(
    sampled(
      [
        ['AAC', 'aac.mkv', []],
        ['AAC of 44.1 kHz', 'aac-441.mkv', ['-c:a', 'aac', '-ar', '44100']],
        ['mp3', 'mp3.mkv', ['-c:a', 'libmp3lame']],
        ['AC-3', 'ac3.mkv', ['-c:a', 'ac3']],
      ],
      3,
    ),
  )('of %s is copied, and is where it was to less than a millisecond', async (_, name, args) => {
    const path = await made(name, ...args);
    for (const [start, duration] of [
      [0, 2],
      [1.234567, 3],
    ] as const) {
      const done = await operate('cut', path, { start, duration });
      const [[from = 0] = []] = done.time_map.map((clip) => clip.in);
      const [all, found] = [await hashesOf(path), await hashesOf(done.path)];
      const first = all.indexOf(found[0] ?? '');
      expect(found).toEqual(all.slice(first, first + found.length));
      const at = Math.round(from * 48_000);
      const wanted = (await readSound(path)).subarray(at, at + duration * 48_000);
      expect(Math.abs(lagOf(await readSound(done.path), wanted))).toBeLessThanOrEqual(ROUNDED);
    }
  });

  test('is copied to mov, and not to containers without edit lists', async () => {
    const path = await made('aac.mkv');
    const all = new Set(await hashesOf(path));
    const copied = async (format: string) => {
      const done = await operate('cut', path, { start: 1, duration: 2, format });
      return (await hashesOf(done.path)).every((hash) => all.has(hash));
    };
    expect(await copied('mov')).toBe(true);
    expect(await copied('mkv')).toBe(false);
  });

  test('is not played twice where its packets overlap', async () => {
    const path = join(scratch(), 'looped.mkv');
    await ffmpeg('-stream_loop', '2', '-i', fixture('plain.mp4'), '-c', 'copy', path);
    const done = await operate('cut', path, { start: 3, duration: 10 });
    expect(done.data.copied_seconds).toBeGreaterThan(5);
    const wanted = (await readPulses(path)).map((time) => time - 3).filter((time) => time > 0 && time < 10);
    const found = await readPulses(done.path);
    expect(found).toHaveLength(wanted.length);
    for (const [index, time] of found.entries())
      expect(Math.abs(time - (wanted[index] ?? 0))).toBeLessThan(0.02);
  });

  test('is encoded next to the copied picture if its samples cannot be counted', async () => {
    const path = await made('uncounted.mkv');
    const asked: (number | undefined)[] = [];
    const splice: NonNullable<Answers['splice']> = async (request, more) => {
      asked.push(request.audio?.rate);
      if (request.audio?.rate !== undefined)
        throw new LibavFailure('packets of an unknown number of samples cannot be counted');
      if (!libav) throw new Error('the test needs libav');
      return libav.ask(request, more);
    };
    const done = await operate('cut', path, { start: 1, duration: 3 }, { libav: { splice } });
    expect(asked).toEqual([48_000, undefined]);
    expect(done.data.copied_seconds).toBeGreaterThan(1.5);
    const wanted = (await readSound(path)).subarray(48_000, 4 * 48_000);
    expect(Math.abs(lagOf(await readSound(done.path), wanted))).toBeLessThanOrEqual(2 * ROUNDED);
  });

  test.each(
    sampled(
      [
        ['in which packets are missing', 'hole.mkv', ["noise=drop='between(n,100,120)'"]],
        ['whose clock is slow', 'slow.mkv', ['setts=ts=TS*1.002']],
        ['whose clock is fast', 'fast.mkv', ['setts=ts=TS*0.998']],
      ],
      3,
    ),
  )('%s stays with its times', async (_, name, [filter = '']) => {
    const path = await made(name, '-bsf:a', filter);
    const done = await operate('cut', path, { start: 1, duration: 4 });
    const all = new Set(await hashesOf(path));
    expect((await hashesOf(done.path)).every((hash) => all.has(hash))).toBe(true);
    const [[from = 0] = []] = done.time_map.map((clip) => clip.in);
    const wanted = (await readPulses(path)).map((time) => time - from).filter((time) => time > 0 && time < 4);
    const found = await readPulses(done.path);
    expect(found).toHaveLength(wanted.length);
    for (const [index, time] of found.entries())
      expect(Math.abs(time - (wanted[index] ?? 0))).toBeLessThan(0.003);
  });
});

describe('a constant frame rate of Matroska', () => {
  test.each(
    sampled(
      [
        ['of a part', { start: 1, duration: 2 }],
        [
          'of parts far from one another',
          {
            segments: [
              { start: 0.5, end: 1 },
              { start: 5, end: 5.5 },
            ],
          },
        ],
      ],
      3,
    ),
  )('%s is not taken for a variable one', async (_, request) => {
    const path = await made('aac.mkv');
    expect((await operate('cut', path, request)).warnings).toEqual([]);
  });
});
