import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 30;
const FRAMES = 60;
const PACKET = 188;
const SYNC = 0x47;

const timed = join(scratch(), 'timed.ts');
await run(programs, 'ffmpeg', [
  ...['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), '-frames:v', `${FRAMES}`],
  ...['-c:v', 'libx264', '-preset', 'veryfast'],
  ...['-x264-params', 'bframes=2:b-adapt=0:b-pyramid=none:keyint=15:scenecut=0', timed],
]);

/** Where the PES header of each frame begins in a transport stream, in decoding order (ISO/IEC 13818-1, 2.4.3.6). */
function headersOf(stream: Buffer): number[] {
  const found: number[] = [];
  for (let at = 0; at < stream.length; at += PACKET) {
    if (stream[at] !== SYNC) throw new Error('a packet does not begin with its sync byte');
    const [flags = 0, control = 0] = [stream[at + 1], stream[at + 3]];
    const payload = at + 4 + (control & 0x20 ? 1 + (stream[at + 4] ?? 0) : 0);
    if ((flags & 0x40) > 0 && stream.readUInt32BE(payload) === 0x1_e0) found.push(payload);
  }
  return found;
}

/** Without the times of some frames, given by their index in decoding order: bytes of stuffing are in their place. */
async function withoutTimes(untimed: readonly number[]): Promise<string> {
  const stream = await readFile(timed);
  const headers = headersOf(stream);
  expect(headers).toHaveLength(FRAMES);
  for (const index of untimed) {
    const header = headers[index] ?? Number.NaN;
    stream[header + 7] = 0;
    stream.fill(0xff, header + 9, header + 9 + (stream[header + 8] ?? 0));
  }
  const path = join(scratch(), `without-${untimed.join('-')}.ts`);
  await writeFile(path, stream);
  return path;
}

test.each(
  sampled(
    [
      ['the second frame', [1]],
      ['B-frames', [5, 20, 33]],
      ['P-frames', [4, 31]],
      ['a keyframe', [15]],
      ['half a group', [17, 18, 19, 20, 21, 22, 23]],
    ],
    3,
  ),
)('frames of a transport stream follow one another without the times of %s', async (_, untimed) => {
  const source = await withoutTimes(untimed);
  const { path, data } = await operate('cut', source, { start: 0.2, end: 1.8 });
  expect(await readNumbers(path)).toEqual(Array.from({ length: 48 }, (_, at) => at + 6));
  const times = await readTimes(path);
  for (const [at, time] of times.entries()) expect(Math.abs(time - at / RATE)).toBeLessThan(0.002);
  expect(data.copied_seconds).toBeGreaterThan(0.5);
  const frame = await operate('frame', source, { timestamps: [0.7], format: 'png' });
  expect(await readNumbers(frame.path)).toEqual([21]);
});
