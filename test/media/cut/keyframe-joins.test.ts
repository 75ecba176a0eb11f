import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const segments = [
  { start: 3.1, end: 4.5 },
  { start: 1.1, end: 2.5 },
];

test.each(sampled(['yuv420p', 'yuv422p10le'], 3))(
  'ranges of HEVC from keyframes of open groups, without sound, keep the order of their frames: %s',
  async (pixels) => {
    const source = join(scratch(), `open-${pixels}.mp4`);
    const params = 'log-level=none:keyint=30:min-keyint=30:scenecut=0:bframes=4:open-gop=1';
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-an', '-pix_fmt', pixels],
      ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', params, source],
    ]);
    await isInOrder(source);
  },
);

// Keyframes that are no IDR pictures, with and without frames that are decoded after and shown before them.
test.each(sampled([31, 30], 3))('ranges of H.264 with open groups of %i frames, too', async (keyint) => {
  const source = join(scratch(), `open-${keyint}.mp4`);
  const params = `keyint=${keyint}:min-keyint=${keyint}:scenecut=0:bframes=2:b-adapt=0:open-gop=1`;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-an'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', params, source],
  ]);
  await isInOrder(source);
});

async function isInOrder(source: string): Promise<void> {
  const done = await operate('cut', source, { segments, mode: 'keyframe' });
  const wanted = done.time_map.flatMap(({ in: [from, to] }) =>
    range(Math.round(from * 30), Math.round(to * 30)),
  );
  expect(await readNumbers(done.path)).toEqual(wanted);
}
