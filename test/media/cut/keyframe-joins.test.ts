import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const segments = [
  { start: 3.1, end: 4.5 },
  { start: 1.1, end: 2.5 },
];

const made = (name: string, encoder: readonly string[], pixels = 'yuv420p', sound = false) => {
  const path = join(scratch(), name);
  const map = sound ? ['-c:a', 'aac'] : ['-an'];
  const input = ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), ...map, '-pix_fmt', pixels];
  return run(programs, 'ffmpeg', [...input, ...encoder, '-preset', 'ultrafast', path]).then(() => path);
};

const groups = 'keyint=30:min-keyint=30:scenecut=0:open-gop=1';
const hevc = ['-c:v', 'libx265', '-x265-params', `log-level=none:${groups}:bframes=4`];
const h264 = ['-c:v', 'libx264', '-x264-params', `${groups}:bframes=2:b-adapt=0`];

test.each(sampled(['yuv420p', 'yuv422p10le'], 3))(
  'ranges of HEVC from keyframes of open groups, without sound, keep the order of their frames: %s',
  async (pixels) => {
    await isInOrder(await made(`open-${pixels}.mp4`, hevc, pixels));
  },
);

// Keyframes that are no IDR pictures, with and without frames that are decoded after and shown before them.
test.each(sampled([31, 30], 3))('ranges of H.264 with open groups of %i frames, too', async (keyint) => {
  const params = `keyint=${keyint}:min-keyint=${keyint}:scenecut=0:bframes=2:b-adapt=0:open-gop=1`;
  await isInOrder(await made(`open-${keyint}.mp4`, ['-c:v', 'libx264', '-x264-params', params]));
});

describe.each([
  ['HEVC', hevc, 'mp4'],
  ['H.264', h264, 'mp4'],
  ['H.264', h264, 'mkv'],
] as const)('a copy of %s', (codec, encoder, container) => {
  test.each([true, false])(
    `from ${container} begins with the keyframe of an open group, with sound: %s`,
    async (sound) => {
      const source = await made(`${codec}-${sound}.${container}`, encoder, 'yuv420p', sound);
      for (const [start, end] of [
        [2.5, 4.2],
        [4.05, 5.5],
      ] as const) {
        const done = await operate('cut', source, { start, end, mode: 'keyframe' });
        const shown = await readNumbers(done.path);
        const from = 30 * Math.floor(start);
        expect(shown).toEqual(range(from, from + shown.length));
        // Matroska begins with the priming of its sound, most of a frame before its picture.
        expect(shown.at(-1)).toBeGreaterThanOrEqual(Math.round(end * 30) - 2);
        expect(done.data).toMatchObject({ rendered_seconds: 0 });
        expect(await complaints(done.path)).toBe('');
      }
    },
  );
});

async function isInOrder(source: string): Promise<void> {
  const done = await operate('cut', source, { segments, mode: 'keyframe' });
  const wanted = done.time_map.flatMap(({ in: [from, to] }) =>
    range(Math.round(from * 30), Math.round(to * 30)),
  );
  expect(await readNumbers(done.path)).toEqual(wanted);
}
