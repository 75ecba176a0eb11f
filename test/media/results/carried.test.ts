import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { firstFrameOf, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-carried-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const at = (name: string) => join(directory, name);
const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: directory });

/** The left half is clear. */
beforeAll(async () => {
  const half = "geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='if(gt(X,W/2),255,0)'";
  const from = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=30:d=3,format=yuva420p,${half}`];
  const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-auto-alt-ref', '0'];
  await ffmpeg(...from, ...vp9, '-g', '30', 'clear.webm');
  await ffmpeg(...from, '-c:v', 'qtrle', '-pix_fmt', 'argb', 'clear.mov');
});

/** Of a pixel of the left half and one of the right half, in the first picture. */
async function alphas(path: string, decoder: string[] = []): Promise<number[]> {
  const pixels = 'format=rgba,alphaextract,crop=iw:2:0:0,format=gray';
  await ffmpeg(...decoder, '-i', path, '-vf', pixels, '-frames:v', '1', '-f', 'rawvideo', 'alpha.gray');
  const raw = await readFile(at('alpha.gray'));
  return [raw[20] ?? 0, raw[140] ?? 0];
}

describe('what is transparent', () => {
  test.each(
    sampled(
      [
        ['transcode', 'clear.webm', { format: 'webm' }],
        ['transcode', 'clear.mov', { format: 'mov' }],
        ['cut', 'clear.webm', { start: 0.5, end: 2.5, format: 'webm' }],
        ['cut', 'clear.webm', { start: 1, end: 2, mode: 'keyframe', format: 'mp4' }],
        ['frame', 'clear.mov', { timestamps: [1], format: 'jpeg' }],
        ['frame_last', 'clear.webm', { format: 'png' }],
      ] as const,
      3,
    ),
  )('is said to be lost in %s of %s with %j', async (operation, source, request) => {
    expect(codes(await operate(operation, at(source), { ...request }))).toContain('alpha_dropped');
  });

  test('stays in pictures that can be', async () => {
    for (const done of [
      await operate('frame', at('clear.mov'), { timestamps: [1], format: 'png' }),
      await operate('frame_last', at('clear.mov'), { format: 'png' }),
    ]) {
      expect(codes(done)).toEqual([]);
      expect(await alphas(done.path)).toEqual([0, 255]);
    }
  });

  test.each(sampled(['webm', 'mkv'], 3))('is copied with its packets into %s', async (format) => {
    const segments = [
      { start: 0, end: 1 },
      { start: 2, end: 3 },
    ];
    for (const range of [{ start: 1, end: 2 }, { segments }]) {
      const done = await operate('cut', at('clear.webm'), { ...range, mode: 'keyframe', format });
      expect(codes(done)).not.toContain('alpha_dropped');
      expect(JSON.stringify((await streamOf(done.path, 'v')).tags).toLowerCase()).toContain('alpha_mode');
      const [left = 255, right = 0] = await alphas(done.path, ['-c:v', 'libvpx-vp9']);
      expect([left < 10, right > 245]).toEqual([true, true]);
    }
  });

  test('is not spoken of where nothing is', async () => {
    const opaque = await operate('transcode', 'vp9.webm', { format: 'webm' });
    expect(codes(opaque)).not.toContain('alpha_dropped');
  });
});

describe('the metadata of HDR10', () => {
  test.each(
    sampled(
      [
        ['av1', 'mp4'],
        ['hevc', 'mp4'],
      ],
      3,
    ),
  )('is written by the encoder of %s', async (codec, format) => {
    const done = await operate('transcode', 'hdr10.mp4', { codec, format });
    expect(codes(done)).not.toContain('hdr_metadata_dropped');
    const [own, was] = await Promise.all([firstFrameOf(done.path), firstFrameOf(fixture('hdr10.mp4'))]);
    const value = (frame: Record<string, unknown>, key: string) => {
      const data = (frame.side_data_list ?? []) as Record<string, unknown>[];
      const [numerator = Number.NaN, denominator = 1] = String(data.find((one) => key in one)?.[key])
        .split('/')
        .map(Number);
      return numerator / denominator;
    };
    for (const key of [
      'red_x',
      'green_y',
      'blue_x',
      'white_point_y',
      'max_luminance',
      'max_content',
      'max_average',
    ]) {
      expect([key, value(own, key) / value(was, key)]).toEqual([key, expect.closeTo(1, 3)]);
    }
  });

  /** HDR10 whose metadata is in its keyframes alone, a second apart. */
  async function inBand(codec: 'hevc' | 'av1', container: string): Promise<string> {
    const name = `in-band-${codec}.${container}`;
    const params = {
      hevc: 'master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400',
      av1: 'mastering-display=G(0.265,0.69)B(0.15,0.06)R(0.68,0.32)WP(0.3127,0.329)L(1000,0.005):content-light=1000,400',
    };
    const hdr = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'];
    const encoder = {
      hevc: ['libx265', '-preset', 'ultrafast', '-x265-params', `${params.hevc}:hdr10=1:repeat-headers=1`],
      av1: ['libsvtav1', '-preset', '12', '-svtav1-params', params.av1],
    };
    // Transport streams have no description, and what is made of them has parameter sets alone.
    const first = codec === 'av1' ? name : 'coded.ts';
    await ffmpeg('-i', fixture('hdr10.mp4'), '-an', '-g', '30', ...hdr, '-c:v', ...encoder[codec], first);
    if (codec === 'hevc') await ffmpeg('-i', first, '-c', 'copy', name);
    return at(name);
  }

  test.each(
    sampled(
      [
        ['hevc', 'mp4'],
        ['hevc', 'ts'],
        ['av1', 'mp4'],
      ] as const,
      3,
    ),
  )('is in the frames that are rendered between copied ones of %s in %s', async (codec, container) => {
    const source = await inBand(codec, container);
    const done = await operate('cut', source, { start: 0.5, end: 3 });
    expect(Number(done.data.copied_seconds)).toBeGreaterThan(0.5);
    expect(Number(done.data.rendered_seconds)).toBeGreaterThan(0.1);
    expect(codes(done)).not.toContain('hdr_metadata_dropped');
    const about = async (path: string) => {
      const { side_data_list: data = [] } = (await firstFrameOf(path)) as { side_data_list?: object[] };
      const kinds = ['Mastering display metadata', 'Content light level metadata'];
      return kinds.map((kind) => data.find((one) => 'side_data_type' in one && one.side_data_type === kind));
    };
    const was = await about(source);
    expect(was).not.toContain(undefined);
    expect(await about(done.path)).toEqual(was);
  });

  test('is said to be lost where the encoder does not write it', async () => {
    const done = await operate('transcode', 'hdr10.mp4', { codec: 'vp9', format: 'webm' });
    expect(codes(done)).toContain('hdr_metadata_dropped');
  });
});
