import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { withoutVui } from '../../fixtures/without-vui.ts';
import { sampled } from '../../sampled.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const HALF = 90;

/** Half of the fixture as a raw stream, with up to `bFrames` B-frames in a row. */
async function half(from: number, bFrames: number): Promise<Buffer> {
  const path = join(scratch(), `${bFrames}.h264`);
  const frames = `trim=start_frame=${from}:end_frame=${from + HALF},setpts=PTS-STARTPTS`;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), '-vf', frames],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params'],
    ...[`bframes=${bFrames}:b-adapt=0:b-pyramid=normal:ref=4:keyint=300:scenecut=0`, path],
  ]);
  return readFile(path);
}

async function unstated(): Promise<string> {
  const path = join(scratch(), 'unstated.h264');
  await writeFile(path, withoutVui(Buffer.concat([await half(0, 0), await half(HALF, 7)])));
  return path;
}

test('H.264 that does not state how far it reorders has all of its frames', async () => {
  const whole = await operate('transcode', await unstated(), {});
  expect(await readNumbers(whole.path)).toEqual(range(0, 2 * HALF));
}, 60_000);

describe.each(sampled(['mkv', 'flv', 'mp4'], 3))('in %s it has all of its frames', (container) => {
  const frames = 2 * HALF;
  const path = join(scratch(), `unstated.${container}`);

  beforeAll(async () => {
    const timed = (await operate('remux', await unstated(), { format: 'mp4' })).path;
    const copied = ['-v', 'error', '-nostdin', '-y', '-i', timed, '-c', 'copy', '-bitexact', path];
    await run(programs, 'ffmpeg', copied);
  });

  test.each(
    sampled(
      [
        ['transcode', {}, range(0, frames)],
        ['cut', { start: 1, duration: 4 }, range(25, 125)],
        ['cut', { start: 4.5, duration: 2 }, range(112, 162)],
        ['cut', { start: 3, duration: 4.2 }, range(75, 180)],
        ['speed', { reverse: true }, range(0, frames).reverse()],
      ] as const,
      3,
    ),
  )('/%s %o', async (operation, request, shown) => {
    const made = await operate(operation, path, request);
    expect(await readNumbers(made.path)).toEqual(shown);
  });
});
