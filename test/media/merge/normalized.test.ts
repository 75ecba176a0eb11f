import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readSound } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const url = 'https://media.example.com/clip';
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

const made = (name: string) => join(scratch(), name);

beforeAll(async () => {
  const picture = ['-f', 'lavfi', '-i', 'color=gray:s=64x36:r=25'];
  const coded = ['-t', '10', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '192k'];
  const noise = (level: string) => [
    ...['-f', 'lavfi', '-i', `anoisesrc=r=48000:c=pink:seed=1,volume='${level}':eval=frame`],
    ...coded,
  ];
  await ffmpeg(...picture, ...noise('if(lt(t,5),0.3,0.01)'), made('two-levels.mp4'));
  await ffmpeg(...picture, ...noise('0.1'), made('other.mp4'));
  const late = ['-output_ts_offset', '100', '-c', 'copy', made('two-levels.ts')];
  await ffmpeg('-i', made('two-levels.mp4'), ...late);
});

/** Root of the mean square between two seconds, in decibels. */
function levelOf(sound: Float32Array, from: number, to: number): number {
  const part = sound.subarray(from * 48_000, to * 48_000);
  return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 0) / part.length);
}

test.each([
  ['the quiet end', 'two-levels.mp4', { start: 5.5 }],
  ['the loud start', 'two-levels.mp4', { end: 5 }],
  ['the quiet end of a file whose clock begins late', 'two-levels.ts', { start: 5.5 }],
])('%s of a file is as loud as another file', async (_, name, part) => {
  const urls = [
    { url, ...part },
    { url, end: 5 },
  ];
  const files = [made(name), made('other.mp4')];
  const { path, warnings } = await operateOn('merge_urls', files, { urls, normalize_audio: true });
  const sound = await readSound(path);
  expect(Math.abs(levelOf(sound, 1, 4) - levelOf(sound, 6, 9))).toBeLessThan(1);
  expect(warnings).toEqual([]);
});
