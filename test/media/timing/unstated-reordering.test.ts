import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BitWriter } from '../../../transcoder/bitstream/bits.ts';
import { parseSps } from '../../../transcoder/bitstream/h264-sets.ts';
import { addEmulation, removeEmulation, splitStartCodes } from '../../../transcoder/bitstream/nal.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const HALF = 90;
const SPS = 7;

/** The same parameter set without usability information, which states how many frames a decoder reorders. */
function withoutVui(sps: Uint8Array): Uint8Array {
  const writer = new BitWriter();
  writer.append(removeEmulation(sps), 0, (parseSps(sps).vuiAt ?? 0) - 1);
  writer.flag(false);
  writer.flag(true);
  writer.align(0);
  return addEmulation(writer.bytes());
}

/** Half of the fixture as a stream of NAL units, with up to `bFrames` B-frames in a row. */
async function half(from: number, bFrames: number): Promise<Uint8Array[]> {
  const path = join(scratch(), `${bFrames}.h264`);
  const frames = `trim=start_frame=${from}:end_frame=${from + HALF},setpts=PTS-STARTPTS`;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), '-vf', frames],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params'],
    ...[`bframes=${bFrames}:b-adapt=0:b-pyramid=normal:ref=4:keyint=300:scenecut=0`, path],
  ]);
  return splitStartCodes(await readFile(path));
}

async function unstated(): Promise<string> {
  const nals = [...(await half(0, 0)), ...(await half(HALF, 7))].map((nal) =>
    ((nal[0] ?? 0) & 0x1f) === SPS ? withoutVui(nal) : nal,
  );
  const path = join(scratch(), 'unstated.h264');
  await writeFile(path, Buffer.concat(nals.flatMap((nal) => [Buffer.from([0, 0, 0, 1]), nal])));
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
