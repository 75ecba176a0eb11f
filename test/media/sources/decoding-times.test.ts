import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { operate } from '../operate.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-times-'));
});
afterAll(() => rm(directory, { recursive: true }));

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], {
    cwd: directory,
    timeoutSeconds: 60,
  });

/** A raw stream with B-frames, copied into an mp4: the muxer knows no presentation times and writes decoding times for both. */
async function careless(codec: string, raw: string): Promise<string> {
  const encode = ['-t', '4', '-an', '-c:v', codec, '-preset', 'ultrafast', '-bf', '3', '-g', '30'];
  await ffmpeg('-i', fixture('no-sound.mp4'), ...encode, '-pix_fmt', 'yuv420p', raw);
  await ffmpeg('-r', '30', '-i', raw, '-c', 'copy', `${raw}.mp4`);
  return join(directory, `${raw}.mp4`);
}

/** When ffmpeg shows each frame. */
async function shownTimes(path: string): Promise<number[]> {
  const asked = [
    '-select_streams',
    'v',
    '-show_entries',
    'frame=best_effort_timestamp_time',
    '-of',
    'csv=p=0',
  ];
  const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', ...asked, path]);
  return [...stdout.matchAll(/^-?[\d.]+/gm)].map(([text]) => Number(text));
}

describe.each([
  ['libx264', 'b-frames.h264'],
  ['libx265', 'b-frames.hevc'],
])('an mp4 with decoding times for presentation times, of %s', (codec, raw) => {
  // With libav, such a source still fails as output_invalid: libav 8 puts its frames in another order.
  test('is rendered in the order in which ffmpeg shows it, without libav', async () => {
    const path = await careless(codec, raw);
    const times = await shownTimes(path);
    const shown = (await readNumbers(path)).map((number, index) => ({ number, at: times[index] ?? 0 }));
    const half = 1 / 60;

    const { path: cut } = await operate('cut', path, { start: 0.5, end: 1.5 }, { libav: null });
    const inside = shown.filter(({ at }) => at >= 0.5 - half && at < 1.5 - half);
    expect(await readNumbers(cut)).toEqual(inside.map(({ number }) => number));

    const { path: whole } = await operate('transcode', path, { format: 'webm' }, { libav: null });
    expect(await readNumbers(whole)).toEqual(shown.map(({ number }) => number));
  });
});
