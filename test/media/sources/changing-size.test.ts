import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { type Region, readNumbers, wholePicture } from '../../fixtures/barcode.ts';
import { barcode, picture } from '../../fixtures/drawn-barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-size-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0'];
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M'];
const av1 = ['-c:v', 'libsvtav1', '-preset', '12'];
const vp8 = [...VP8, '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M'];

/** Two seconds at 320 × 180, and two at another size, in which frames go on counting. */
async function resized(extension: string, coded: readonly string[], other: string): Promise<string> {
  const name = (part: string) => join(directory, `${part}${extension}`);
  const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-y', ...args]);
  for (const [index, size] of ['320:180', other].entries()) {
    const frames = `trim=start_frame=${60 * index}:end_frame=${60 * (index + 1)},setpts=PTS-STARTPTS`;
    const shown = `${barcode('30')},${frames},scale=${size},setsar=1`;
    await ffmpeg('-f', 'lavfi', '-i', shown, ...coded, '-g', '30', name(`${index}`));
  }
  const list = join(directory, 'list.txt');
  await writeFile(list, [0, 1].map((index) => `file '${name(`${index}`)}'\n`).join(''));
  const joined = name(`resized-${other.replace(':', 'x')}`);
  await ffmpeg('-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', joined);
  return joined;
}

/** Where the barcode is in the middle square of the picture. */
const square: Region = {
  x: (picture.x - 70) / 180,
  y: picture.y / 180,
  width: (8 * picture.cell) / 180,
  height: (2 * picture.cell) / 180,
};

describe.each(
  sampled(
    [
      ['VP8', '.webm', vp8, '640:360'],
      ['VP8', '.webm', vp8, '160:120'],
      ['H.264', '.mkv', x264, '640:360'],
      ['H.264', '.ts', x264, '160:90'],
      ['VP9', '.webm', vp9, '640:360'],
      ['AV1', '.mkv', av1, '160:90'],
      ['MJPEG', '.mkv', ['-c:v', 'mjpeg', '-q:v', '3'], '640:360'],
    ] as const,
    3,
  ),
)('a picture of %s in %s that goes on at another size', (_codec, extension, coded, other) => {
  let source: string;
  beforeAll(async () => {
    source = await resized(extension, coded, other);
  });

  test('is cropped at the first size', async () => {
    const made = await operate('crop', source, { aspect_ratio: '1:1' });
    expect(made).toMatchObject({ width: 180, height: 180 });
    expect(await readNumbers(made.path, square)).toEqual(range(0, 120));
  });

  test('is cropped to a part that all sizes have', async () => {
    const { x, y, cell } = picture;
    // SVT-AV1 encodes from 64 × 64 px on, and leaves out blocks of pictures that flicker.
    const part = { x, y, width: 8 * cell, height: 2 * cell, codec: 'h264' };
    const made = await operate('crop', source, part);
    expect(await readNumbers(made.path, { x: 0, y: 0, width: 1, height: 1 })).toEqual(range(0, 120));
  });

  test('is shown before itself, blurred', async () => {
    const made = await operate('crop', source, { aspect_ratio: '1:1', fill: 'blur', codec: 'h264' });
    expect(made).toMatchObject({ width: 320, height: 320 });
    const inner = { ...wholePicture, y: (70 + picture.y) / 320, height: (2 * picture.cell) / 320 };
    expect(await readNumbers(made.path, inner)).toEqual(range(0, 120));
  });

  test('shows each of its frames as a picture of the first size', async () => {
    const last = await operate('frame_last', source, { format: 'png' });
    expect(last).toMatchObject({ width: 320, height: 180 });
    expect(await readNumbers(last.path)).toEqual([119]);
    const several = await operate('frame', source, { timestamps: [1, 3], format: 'png' });
    const numbers = await Promise.all(several.files.map(({ path }) => readNumbers(path)));
    expect(numbers).toEqual([[30], [90]]);
  });

  test('is transcoded, cut and sped up', async () => {
    const whole = await operate('transcode', source, { quality: 'low', height: 90 });
    expect(whole).toMatchObject({ width: 160, height: 90 });
    expect(await readNumbers(whole.path)).toEqual(range(0, 120));
    const cut = await operate('cut', source, { start: 1.5, duration: 2 });
    expect(cut).toMatchObject({ width: 320, height: 180 });
    expect(await readNumbers(cut.path)).toEqual(range(45, 105));
    const late = await operate('cut', source, { start: 3, duration: 0.5 });
    expect(late).toMatchObject({ width: 320, height: 180 });
    expect(await readNumbers(late.path)).toEqual(range(90, 105));
    const slowed = await operate('speed', source, { ranges: [{ start: 1, end: 3, rate: 2 }] });
    expect(await readNumbers(slowed.path)).toHaveLength(90);
  });

  test('is merged with another clip by a transition', async () => {
    const urls = ['https://media.example.com/a', 'https://media.example.com/b'];
    const request = { urls, transition: 'wipeleft', duration: 0.5, width: 320, height: 180 };
    const made = await operateOn('merge_urls', [source, fixture('no-sound.mp4')], request);
    const numbers = await readNumbers(made.path);
    expect(numbers.slice(0, 105)).toEqual(range(0, 105));
    expect(numbers.slice(120)).toEqual(range(15, numbers.length - 105));
  });

  test('carries captions', async () => {
    const captions = [{ start: 2.2, end: 3.8, text: 'Hello' }];
    const made = await operate('captions_auto', source, { captions });
    expect(made).toMatchObject({ width: 320, height: 180, duration: expect.closeTo(4, 1) });
    expect((await readNumbers(made.path)).slice(0, 65)).toEqual(range(0, 65));
  });
});
