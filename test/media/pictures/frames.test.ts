import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readColor, readNumbers, streamOf } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate as operateEither } from '../operate.ts';
import { scratch } from '../scratch.ts';

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: scratch() });

/** What has to be true whoever draws the pictures; libav does not leave it to the programs but for damage. */
describe.each(sampled(['libav', 'the programs'], 3))('by %s', (who) => {
  const damaged = ['truncated.mp4'];

  const operate: typeof operateEither = async (name, source, request, options) => {
    const warnings: string[] = [];
    const libav = who === 'libav' ? {} : null;
    const done = await operateEither(name, source, request, {
      ...{ libav, onWarning: (message: string) => warnings.push(message) },
      ...options,
    });
    if (!damaged.includes(source)) expect(warnings).toEqual([]);
    return done;
  };

  describe('the last frame', () => {
    const last: [source: string, number: number, timestamp: number][] = [
      ['plain.mp4', 179, 5.966667],
      ['open-gop.mp4', 179, 5.966667],
      ['long-gop.mp4', 179, 5.966667],
      ['ntsc-film.mp4', 179, 7.465792],
      ['sixty.mp4', 179, 2.983333],
      ['vfr.mp4', 178, 5.933333],
      ['rotated.mp4', 179, 5.966667],
      ['wide-pixels.mp4', 179, 5.966667],
      ['odd-444.mp4', 179, 5.966667],
      ['h264-10bit.mp4', 179, 5.966667],
      ['no-sound.mp4', 179, 5.966667],
      ['late.ts', 179, 5.988],
      ['late.mkv', 179, 5.988],
      ['late-video.mkv', 179, 6.988],
      ['edit-list.mp4', 179, 4.466667],
      ['short-sound.mp4', 179, 5.966667],
      ['vp9.webm', 179, 5.974],
      ['av1.mp4', 179, 5.966667],
      ['hevc-10bit.mp4', 179, 5.966667],
      ['hdr10.mp4', 179, 5.966667],
      ['cover.mp4', 179, 5.966667],
      ['one-frame.mp4', 0, 0],
      ['anim.gif', 28, 0.9],
      ['still.png', 0, 0],
    ];
    test.each(sampled(last, 3))('of %s is number %i', async (source, number, timestamp) => {
      const done = await operate('frame_last', source, { format: 'png' });
      expect(await readNumbers(done.path)).toEqual([number]);
      expect(done.data.timestamp).toBeCloseTo(timestamp, 3);
    });

    test('is as bright as the video', async () => {
      const source = join(scratch(), `grey-${who}.mp4`);
      const grey = 'color=gray:s=64x64:r=10:d=1,geq=lum=40:cb=128:cr=128,format=yuv420p';
      await ffmpeg('-f', 'lavfi', '-i', grey, '-c:v', 'libx264', '-qp', '0', source);
      const { path } = await operate('frame_last', source, { format: 'png' });
      const raw = `${source}.rgb`;
      await ffmpeg('-i', path, '-pix_fmt', 'rgb24', '-f', 'rawvideo', raw);
      // 255 × (40 − 16) / 219
      expect(new Set(await readFile(raw))).toEqual(new Set([28]));
    });

    test('of a truncated file is the last that can be decoded', async () => {
      const done = await operate('frame_last', 'truncated.mp4', { format: 'png' });
      const [number = 0] = await readNumbers(done.path);
      expect(number).toBeGreaterThan(90);
      expect(number).toBe(Math.round((done.data.timestamp as number) * 30));
    });

    test.each(
      sampled(
        [
          [0, 179],
          [0.02, 179],
          [0.05, 178],
          [0.5, 165],
          [6, 0],
        ],
        3,
      ),
    )('epsilon %f s before the end is number %i', async (epsilon, number) => {
      const done = await operate('frame_last', 'plain.mp4', { format: 'png', epsilon });
      expect(await readNumbers(done.path)).toEqual([number]);
    });

    test('is refused where epsilon is longer than the video', async () => {
      expect((await failureOf(operate('frame_last', 'sixty.mp4', { epsilon: 4 }))).code).toBe(
        'time_out_of_range',
      );
    });

    test('may skip black ones', async () => {
      const done = await operate('frame_last', 'black-end.mp4', { format: 'png', skip_black: true });
      expect(await readNumbers(done.path)).toEqual([149]);
      const plain = await operate('frame_last', 'plain.mp4', { format: 'png', skip_black: true });
      expect(await readNumbers(plain.path)).toEqual([179]);
    });

    test.each(
      sampled(
        [
          ['jpeg', 'image/jpeg', 'jpg', 'mjpeg'],
          ['png', 'image/png', 'png', 'png'],
          ['webp', 'image/webp', 'webp', 'webp'],
        ],
        3,
      ),
    )('comes as %s', async (format, media_type, extension, codec_name) => {
      const done = await operate('frame_last', 'tagged.mp4', { format, width: 160 });
      expect(done.files).toMatchObject([{ role: 'picture', media_type, extension }]);
      expect(await streamOf(done.path, 'v')).toMatchObject({ codec_name, width: 160, height: 90 });
      const { r, g, b } = await readColor(done.path, { x: 0.02, y: 0.03, width: 0.05, height: 0.06 });
      expect(r).toBeGreaterThan(235);
      expect(Math.max(g, b)).toBeLessThan(30);
    });

    test.each(
      sampled(
        [
          [{ width: 100, height: 100, fit: 'contain' }, 100, 56],
          [{ width: 100, height: 100, fit: 'cover' }, 100, 100],
          [{ width: 100, height: 100, fit: 'stretch' }, 100, 100],
          [{ height: 90 }, 160, 90],
          [{}, 320, 180],
        ],
        3,
      ),
    )('with %o is %i × %i', async (request, width, height) => {
      expect(await operate('frame_last', 'rotated.mp4', request)).toMatchObject({ width, height });
    });

    test('is smaller where the quality is lower', async () => {
      const { statSync } = await import('node:fs');
      const sizes: number[] = [];
      for (const quality of [10, 50, 90]) {
        sizes.push(statSync((await operate('frame_last', 'plain.mp4', { quality })).path).size);
      }
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
      expect(new Set(sizes).size).toBe(3);
    });

    test('of HDR is mapped to what a screen shows, with a warning', async () => {
      const done = await operate('frame_last', 'hdr10.mp4', {});
      expect(done.warnings).toMatchObject([{ code: 'hdr_tonemapped' }]);
    });

    test('is made to fit the plan where no size was asked for', async () => {
      const done = await operate('frame_last', 'plain.mp4', {}, { limits: { output_side_px: 200 } });
      expect(done).toMatchObject({ width: 200, height: 113, warnings: [{ code: 'size_reduced' }] });
    });

    test('needs a picture', async () => {
      expect((await failureOf(operate('frame_last', 'cover.m4a', {}))).code).toBe('source_no_video');
    });
  });

  describe('frames', () => {
    test.each(
      sampled(
        [
          ['plain.mp4', [0, 15, 59, 60, 60, 179]],
          ['open-gop.mp4', [0, 15, 59, 60, 60, 179]],
          ['rotated.mp4', [0, 15, 59, 60, 60, 179]],
          ['vfr.mp4', [0, 14, 59, 59, 59, 178]],
          ['late.ts', [0, 14, 59, 59, 59, 178]],
          ['late.mkv', [0, 14, 59, 59, 59, 178]],
          ['late-video.mkv', [0, 0, 29, 29, 29, 148]],
        ],
        3,
      ),
    )('of %s are those shown at the times, in their order', async (source, numbers) => {
      const done = await operate('frame', source, {
        timestamps: [0, 0.5, 1.99, 2, '00:00:02.010', 5.972],
        format: 'png',
      });
      expect(done.files.map((file) => file.role)).toEqual(
        ['001', '002', '003', '004', '005', '006'].map((n) => `frame_${n}`),
      );
      const found = await Promise.all(done.files.map(async (file) => (await readNumbers(file.path))[0]));
      expect(found).toEqual(numbers);
      expect(done.data.timestamps).toHaveLength(6);
    });

    test('evenly spaced stand in the middle of their share', async () => {
      const done = await operate('frame', 'plain.mp4', { count: 4 });
      expect(done.data).toEqual({ timestamps: [0.733333, 2.233333, 3.733333, 5.233333] });
    });

    test('may be a hundred', async () => {
      const done = await operate('frame', 'plain.mp4', { count: 100, width: 160, format: 'png' });
      const found = await Promise.all(done.files.map(async (file) => (await readNumbers(file.path))[0]));
      expect(found).toEqual(
        Array.from({ length: 100 }, (_, index) => Math.floor(((6 * (index + 0.5)) / 100) * 30 + 1e-6)),
      );
    });

    test.each(sampled(['jpeg', 'png', 'webp'], 3))('come as one sheet: %s', async (format) => {
      const done = await operate('frame', 'rotated.mp4', { count: 5, width: 160, sheet: true, format });
      expect(done).toMatchObject({ width: 480, height: 180, files: [{ role: 'sheet' }] });
      expect(await streamOf(done.path, 'v')).toMatchObject({ width: 480, height: 180 });
      const second = { x: (1 + 0.3) / 3, y: 74 / 180 / 2, width: 0.4 / 3, height: 32 / 180 / 2 };
      expect(await readNumbers(done.path, second)).toEqual([54]);
    });

    test('are smaller on a sheet that would exceed the limit, unless they have a size', async () => {
      const limits = { output_side_px: 640 };
      const done = await operate('frame', 'plain.mp4', { count: 12, sheet: true }, { limits });
      expect(done).toMatchObject({ width: 640, height: 270 });
      expect(await streamOf(done.path, 'v')).toMatchObject({ width: 640, height: 270 });
      const second = { x: (1 + 0.3) / 4, y: 74 / 180 / 3, width: 0.4 / 4, height: 32 / 180 / 3 };
      expect(await readNumbers(done.path, second)).toEqual([22]);
      expect(done.warnings).toEqual([
        {
          code: 'size_reduced',
          detail: '320 × 180 px was reduced to 160 × 90 px on the sheet, the limit of your plan.',
        },
      ]);
      const asked = operate('frame', 'plain.mp4', { count: 12, sheet: true, width: 320 }, { limits });
      expect(await failureOf(asked)).toMatchObject({
        code: 'output_too_large',
        detail: expect.stringContaining('A sheet of 4 × 3 pictures would be 1280 × 540 px'),
      });
    });

    test('stay transparent on a sheet, or the result says that they do not', async () => {
      const source = join(scratch(), 'transparent.mov');
      const clear = 'color=red@0.2:s=64x64:d=1,format=yuva444p10le';
      await ffmpeg('-f', 'lavfi', '-i', clear, '-c:v', 'prores_ks', '-profile:v', '4444', source);
      const request = { count: 2, sheet: true };
      const png = await operate('frame', source, { ...request, format: 'png' });
      expect(await streamOf(png.path, 'v')).toMatchObject({ pix_fmt: 'rgba' });
      expect(png.warnings).toEqual([]);
      const jpeg = await operate('frame', source, request);
      expect(jpeg.warnings.map(({ code }) => code)).toEqual(['alpha_dropped']);
    });

    test('behind the end name the field', async () => {
      const work = operate('frame', 'plain.mp4', { timestamps: [1, 6.5] });
      expect(await failureOf(work)).toMatchObject({
        code: 'time_out_of_range',
        detail: expect.stringContaining('timestamps[1]'),
      });
    });

    test('may skip black ones', async () => {
      const done = await operate('frame', 'black-end.mp4', {
        timestamps: [1, 5.5],
        skip_black: true,
        format: 'png',
      });
      const found = await Promise.all(done.files.map(async (file) => (await readNumbers(file.path))[0]));
      expect(found).toEqual([30, 149]);
    });
  });
});
