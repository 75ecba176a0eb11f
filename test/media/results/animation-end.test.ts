import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-animation-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Ten frames a second for half a second, and the last of them for 1.2 s more than the others. */
async function waiting(): Promise<string> {
  const path = join(directory, 'waiting.gif');
  const input = ['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), '-t', '0.5'];
  await run(programs, 'ffmpeg', [...input, '-vf', 'fps=10', '-final_delay', '130', path]);
  return path;
}

/** End of the track in seconds: stated by an mp4, in the tags of a webm. */
async function endOf(path: string): Promise<number> {
  const asked = ['-show_entries', 'format=duration', '-of', 'csv=p=0'];
  return Number((await run(programs, 'ffprobe', ['-v', 'error', ...asked, path])).stdout);
}

test.each(sampled(['mp4', 'mov', 'webm', 'mkv'], 3))(
  'the last frame of a GIF lasts as long in %s',
  async (format) => {
    const { path, duration } = await operate('transcode', await waiting(), { format });
    expect(duration).toBeCloseTo(1.7, 3);
    expect(await endOf(path)).toBeCloseTo(1.7, 2);
  },
);
