import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-trimmed-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Cut by packets, as people do: B-frames at the end are missing, or an edit list hides what leads to the start. */
const trimmed = [
  { start: '0', seconds: '2.1' },
  { start: '1', seconds: '3.17' },
  { start: '1.5', seconds: '2.1' },
].map((cut) => ({ ...cut, path: join(directory, `${cut.start}.mp4`) }));

beforeAll(async () => {
  for (const { start, seconds, path } of trimmed) {
    const how = ['-ss', start, '-t', seconds, '-i', fixture('speech.mp4'), '-c', 'copy', path];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...how]);
  }
});

describe.each(sampled(trimmed, 3))('a file that was cut by packets, $start s for $seconds s', ({ path }) => {
  /** The frames that are shown from here to there, and when. */
  const shown = async (file: string, from = 0, to = 1e9) => {
    const [numbers, times] = [await readNumbers(file), await readTimes(file)];
    return numbers.filter(
      (_, index) => (times[index] ?? 0) > from - 1 / 60 && (times[index] ?? 0) < to - 1 / 60,
    );
  };

  test('keeps the frames of what is heard in it', async () => {
    const segments = [
      { start: 0, end: 0.2, action: 'silent' },
      { start: 0.2, end: 0.9, action: 'keep' },
      { start: 0.9, end: 1.3, action: 'silent' },
      { start: 1.3, end: 4, action: 'keep' },
    ];
    const done = await operate('silence_process', path, { segments });
    expect(await readNumbers(done.path)).toEqual([
      ...(await shown(path, 0.2, 0.9)),
      ...(await shown(path, 1.3, 4)),
    ]);
    const found = await operate('silence_process', path, { min_silence: 0.3 });
    expect((await readNumbers(found.path)).length).toBeGreaterThan(30);
  });

  test.each(sampled([0, 0.01], 3))(
    'keeps its last frames in a cut that fades in for %d s',
    async (fade_in) => {
      const done = await operate('cut', path, { start: 0.7, end: 100, fade_in });
      const found = await readNumbers(done.path);
      expect(found.slice(1)).toEqual((await shown(path, 0.7)).slice(1));
    },
  );

  test.each(sampled(['transcode', 'crop'] as const, 3))('keeps all frames in /%s', async (name) => {
    const request = name === 'crop' ? { aspect_ratio: '1:1' } : { height: 90 };
    const done = await operate(name, path, request);
    expect((await readTimes(done.path)).length).toBe((await shown(path)).length);
  });

  test.each(sampled(['none', 'fade'], 3))(
    'is merged behind another and before it: %s',
    async (transition) => {
      const url = 'https://media.example.com/a.mp4';
      const request = { urls: [url, url, url], transition, duration: 0.3 };
      const done = await operateOn('merge_urls', [path, fixture('plain.mp4'), path], request);
      const times = await readTimes(done.path);
      const last = times.at(-1) ?? 0;
      expect(Math.abs(last + 1 / 30 - (done.duration ?? 0))).toBeLessThan(1 / 30);
    },
  );
});
