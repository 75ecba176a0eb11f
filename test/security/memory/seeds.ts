import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { png, pngChunk } from '../bytes.ts';
import { makeSeeds } from '../seeds.ts';
import { bomb, MB, times } from './row.ts';

const directory = await mkdtemp(join(tmpdir(), 'spool-memory-seeds-'));
const seeds = await makeSeeds(directory);
export const seed = (name: string) => seeds.get(name) ?? Buffer.alloc(0);

/** A single 8K picture of one color as H.264 in mp4: a few kilobytes, 57 MB decoded. */
const large = join(directory, 'large.mp4');
await run(programs, 'ffmpeg', [
  ...['-v', 'error', '-nostdin', '-y', '-bitexact', '-f', 'lavfi', '-i', 'color=gray:s=8192x4608:r=25:d=0.4'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '250', '-pix_fmt', 'yuv420p', large],
]);
export const largeMp4 = await readFile(large);
await rm(directory, { recursive: true });

const textBomb = () => pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb(100 * MB)]));

/** A PNG of 8 × 8 pixels with these chunks before its picture. */
export const small = (...before: Buffer[]) => png(8, 8, Buffer.alloc(16), ...before);

/** A PNG whose texts inflate to 1 GB. */
export const textPng = () => {
  const one = textBomb();
  return small(times(10, () => one));
};
