import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { type PictureColor, readColor, readNumbers, readTimes, streamOf } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const corners = {
  topLeft: { x: 0.01, y: 0.02, width: 0.05, height: 0.05 },
  topRight: { x: 0.94, y: 0.02, width: 0.05, height: 0.05 },
  bottomLeft: { x: 0.01, y: 0.965, width: 0.05, height: 0.03 },
  bottomRight: { x: 0.94, y: 0.965, width: 0.05, height: 0.03 },
};

/** The color of a corner by name. */
function named({ r, g, b }: PictureColor): string {
  const bits = [r, g, b].map((level) => (level > 140 ? '1' : '0')).join('');
  return (
    { '100': 'red', '010': 'green', '001': 'blue', '110': 'yellow', '000': 'black', '111': 'white' }[bits] ??
    bits
  );
}

const cornersOf = async (path: string) => ({
  topLeft: named(await readColor(path, corners.topLeft)),
  topRight: named(await readColor(path, corners.topRight)),
  bottomLeft: named(await readColor(path, corners.bottomLeft)),
  bottomRight: named(await readColor(path, corners.bottomRight)),
});

/** Where the barcode is after a rectangle of the 320 × 180 picture was taken. */
const barcodeIn = (x: number, y: number, width: number, height: number) => ({
  x: (96 - x) / width,
  y: (74 - y) / height,
  width: 128 / width,
  height: 32 / height,
});

describe('a rectangle', () => {
  test.each(
    sampled(
      ['plain.mp4', 'rotated.mp4', 'wide-pixels.mp4', 'h264-10bit.mp4', 'vp9.webm', 'late.ts', 'vfr.mp4'],
      3,
    ),
  )('is taken from the picture as displayed, with every frame: %s', async (source) => {
    const done = await operate('crop', source, { x: 64, y: '25%', width: 192, height: 90 });
    expect(done.data).toEqual({ rectangle: { x: 64, y: 45, width: 192, height: 90 } });
    expect(await streamOf(done.path, 'v')).toMatchObject({
      width: 192,
      height: 90,
      sample_aspect_ratio: '1:1',
    });
    const found = await readNumbers(done.path, barcodeIn(64, 45, 192, 90));
    if (source === 'vfr.mp4') expect(found).toHaveLength(103);
    else expect(found).toEqual(range(0, 180));
  });

  test('reaches to the edge where a side is left out', async () => {
    const done = await operate('crop', 'plain.mp4', { x: 160 });
    expect(done.data).toEqual({ rectangle: { x: 160, y: 0, width: 160, height: 180 } });
    expect(await cornersOf(done.path)).toMatchObject({ topRight: 'green', bottomRight: 'yellow' });
  });

  test('begins at the very pixel where it begins at an odd one', async () => {
    const done = await operate('crop', 'odd-444.mp4', { x: 289, y: 157 });
    expect(done.warnings).toEqual([]);
    expect(done).toMatchObject({ width: 32, height: 24 });
    expect(await cornersOf(done.path)).toMatchObject({ bottomRight: 'yellow' });
  });

  test('keeps its colors at an odd pixel of ten bits', async () => {
    const box = { x: 19, width: 200 };
    const deep = await operate('crop', 'h264-10bit.mp4', box);
    const plain = await operate('crop', 'plain.mp4', box);
    for (const x of [0.02, 0.3, 0.6, 0.85]) {
      const part = { x, y: 0.8, width: 0.02, height: 0.1 };
      const [found, wanted] = [await readColor(deep.path, part), await readColor(plain.path, part)];
      for (const channel of ['r', 'g', 'b'] as const) {
        expect(Math.abs(found[channel] - wanted[channel])).toBeLessThan(20);
      }
    }
  });

  test('of odd sides loses a row or column, and says so', async () => {
    const done = await operate('crop', 'plain.mp4', { width: 101, height: 99 });
    expect(done.warnings).toMatchObject([{ code: 'size_reduced' }]);
    expect(done.data).toEqual({ rectangle: { x: 0, y: 0, width: 100, height: 98 } });
  });

  test('is scaled to the output size', async () => {
    const one = await operate('crop', 'plain.mp4', { width: 160, height: 90, output_width: 320 });
    expect(one).toMatchObject({ width: 320, height: 180 });
    const both = await operate('crop', 'plain.mp4', {
      width: 160,
      height: 90,
      output_width: 100,
      output_height: 101,
    });
    expect(both).toMatchObject({ width: 100, height: 100 });
  });

  test.each(
    sampled(
      [
        [{ x: 300, width: 40 }, /40.*300.*320 × 180/],
        [{ y: '50%', height: '60%' }, /108.*90/],
        [{ x: 320 }, /320/],
      ],
      3,
    ),
  )('outside the picture names the figures: %o', async (request, detail) => {
    const failure = await failureOf(operate('crop', 'plain.mp4', request));
    expect(failure.code).toBe('crop_out_of_bounds');
    expect(failure.detail).toMatch(detail);
  });
});

describe('an aspect ratio', () => {
  test.each(
    sampled(
      [
        ['left', 0, { topLeft: 'red', bottomLeft: 'blue' }],
        ['right', 140, { topRight: 'green', bottomRight: 'yellow' }],
        ['center', 70, {}],
      ],
      3,
    ),
  )('is cut out at the anchor %s', async (anchor, x, expected) => {
    const done = await operate('crop', 'plain.mp4', { aspect_ratio: '1:1', anchor });
    expect(done.data).toEqual({ rectangle: { x, y: 0, width: 180, height: 180 } });
    expect(await cornersOf(done.path)).toMatchObject(expected);
  });

  test.each(
    sampled(
      [
        ['top', { topLeft: 'red', topRight: 'green', bottomLeft: 'white' }],
        ['bottom', { bottomLeft: 'blue', bottomRight: 'yellow', topLeft: 'white' }],
        ['center', { topLeft: 'white', bottomRight: 'white' }],
      ],
      3,
    ),
  )('is padded, the picture at the anchor %s', async (anchor, expected) => {
    const done = await operate('crop', 'rotated.mp4', {
      aspect_ratio: '9:16',
      fill: 'pad',
      anchor,
      background: '#ffffff',
    });
    expect(done).toMatchObject({ width: 320, height: 568 });
    expect(await cornersOf(done.path)).toMatchObject(expected);
  });

  test.each(sampled(['plain.mp4', 'hevc-10bit.mp4', 'wide-pixels.mp4'], 3))(
    'is filled with a blurred copy: %s',
    async (source) => {
      const done = await operate('crop', source, { aspect_ratio: '1:1', fill: 'blur' });
      expect(done).toMatchObject({ width: 320, height: 320 });
      const region = { x: 96 / 320, y: (70 + 74) / 320, width: 128 / 320, height: 32 / 320 };
      expect(await readNumbers(done.path, region)).toEqual(range(0, 180));
      const above = await readColor(done.path, { x: 0, y: 0, width: 1, height: 0.15 });
      expect(above.r + above.g + above.b).toBeGreaterThan(60);
      expect((await streamOf(done.path, 'v')).pix_fmt).toBe(
        source === 'hevc-10bit.mp4' ? 'yuv420p10le' : 'yuv420p',
      );
    },
  );

  test('keeps a canvas that nobody asked for in pixels within the plan', async () => {
    const limits = { output_side_px: 400 };
    const done = await operate('crop', 'plain.mp4', { aspect_ratio: '9:16', fill: 'pad' }, { limits });
    expect(done).toMatchObject({ width: 226, height: 400, warnings: [{ code: 'size_reduced' }] });
    const asked = operate(
      'crop',
      'plain.mp4',
      { aspect_ratio: '9:16', fill: 'pad', output_width: 320 },
      { limits },
    );
    expect(await failureOf(asked)).toMatchObject({
      code: 'output_too_large',
      detail: expect.stringContaining('568'),
    });
  });
});

test('a crop keeps the place of a video that begins late', async () => {
  const done = await operate('crop', 'late-video.mkv', { width: 320, height: 90 });
  expect((await readTimes(done.path))[0]).toBeCloseTo(1.021, 2);
});

test('a crop of color-tagged HDR stays HDR', async () => {
  const done = await operate('crop', 'hdr10.mp4', { aspect_ratio: '1:1' });
  expect(await streamOf(done.path, 'v')).toMatchObject({
    pix_fmt: 'yuv420p10le',
    color_transfer: 'smpte2084',
  });
});

test('a square of a picture with odd sides is a square', async () => {
  const source = join(scratch(), 'odd-sides.mkv');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=321x181:d=0.4', '-pix_fmt', 'yuv444p'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...picture, '-c:v', 'libx264', source]);
  const done = await operate('crop', source, { aspect_ratio: '1:1' });
  expect(done).toMatchObject({ width: 180, height: 180, warnings: [] });
  expect(done.data.rectangle).toMatchObject({ width: 180, height: 180 });
});
