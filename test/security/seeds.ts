import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { programs } from '../fixtures/make.ts';

const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=0.6'];
const sound = ['-f', 'lavfi', '-i', 'sine=440:duration=0.6:sample_rate=16000'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '3', '-pix_fmt', 'yuv420p'];

/** Small files of every kind whose mutants are tried. */
const recipes: Record<string, string[]> = {
  'seed.mp4': [...picture, ...sound, ...h264, '-c:a', 'aac', '-b:a', '16k'],
  'seed.mkv': [...picture, ...sound, ...h264, '-c:a', 'libmp3lame', '-b:a', '16k'],
  'seed.webm': [
    ...picture,
    ...sound,
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-g',
    '3',
    '-c:a',
    'libopus',
    '-b:a',
    '16k',
  ],
  'seed.mp3': [...sound, '-b:a', '16k'],
  'seed.wav': [...sound, '-t', '0.1'],
  'seed.png': [...picture, '-frames:v', '1'],
  'seed.gif': [...picture],
  'seed.jpg': [...picture, '-frames:v', '1'],
};
export const seedNames = Object.keys(recipes);

/** @returns the bytes of each seed, by its name; the files stay in the directory. */
export async function makeSeeds(directory: string): Promise<Map<string, Buffer>> {
  const made = new Map<string, Buffer>();
  for (const [name, recipe] of Object.entries(recipes)) {
    const path = join(directory, name);
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-bitexact', ...recipe, path]);
    made.set(name, await readFile(path));
  }
  return made;
}
