import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { streamOf } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const [SD, HD] = ['854x480', '1280x720'];
const RGB = [0xc8, 0x32, 0x14];
/** In levels of 255. BT.601 shown as BT.709 is off by 13 and more. */
const NEAR = 9;

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-filter_threads', '1', ...args]);
const red = (size: string) => ['-f', 'lavfi', '-i', `color=0xc83214:s=${size}:r=10:d=0.5,format=gbrp`];

/** Where the source of each name is. */
const at = (name: string) => join(directory, name);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(scratch(), 'colors-'));
  const coded = (matrix: string) => [
    ...['-vf', `scale=out_color_matrix=${matrix}:out_range=limited,format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10'],
  ];
  await ffmpeg(...red(SD), ...coded('bt601'), at('sd.mp4'));
  await ffmpeg(...red(HD), ...coded('bt709'), at('hd.mp4'));
  await ffmpeg(...red(HD), at('hd.gif'));
  await ffmpeg(...red(HD), '-c:v', 'qtrle', at('hd.mov'));
});

/** The mean color as players show it: with the matrix that is stated, otherwise that of the height. */
async function shownColor(path: string): Promise<number[]> {
  const { color_space, height } = await streamOf(path, 'v');
  const spaces: Record<string, string> = { bt709: 'bt709', smpte170m: 'bt601', bt470bg: 'bt601' };
  const matrix = spaces[`${color_space}`] ?? (Number(height) >= 720 ? 'bt709' : 'bt601');
  const raw = join(directory, 'shown.raw');
  // Where swscale resizes and converts at once, it takes another matrix.
  const one = `scale=in_color_matrix=${matrix},format=rgb24,scale=1:1`;
  await ffmpeg('-i', path, '-vf', one, '-frames:v', '1', '-f', 'rawvideo', raw);
  return [...(await readFile(raw))];
}

function expectRed(color: readonly number[]): void {
  const off = RGB.map((wanted, index) => Math.abs(wanted - (color[index] ?? 0)));
  expect(Math.max(...off)).toBeLessThan(NEAR);
}

describe('colors stay, though players assume another matrix from 720 lines on, of untagged video', () => {
  test.each(
    sampled(
      [
        ['transcode', 'hd.mp4', { height: 360 }],
        ['transcode', 'sd.mp4', { height: 720 }],
        ['crop', 'hd.mp4', { x: 0, y: 0, height: 480 }],
        ['crop', 'sd.mp4', { aspect_ratio: '9:16', output_height: 1280 }],
      ] as const,
      3,
    ),
  )('in /%s of %s with %j', async (name, source, request) => {
    expectRed(await shownColor((await operate(name, at(source), { ...request })).path));
  });

  test.each(
    sampled(
      [
        ['hd.mp4', 'sd.mp4'],
        ['sd.mp4', 'hd.mp4'],
      ],
      3,
    ),
  )('in a merge of %s and %s', async (...names) => {
    const urls = names.map((name) => `https://media.example.com/${name}`);
    const done = await operateOn('merge_urls', names.map(at), { urls, transition: 'none' });
    const raw = join(directory, 'second.mp4');
    await ffmpeg('-ss', '0.5', '-i', done.path, '-c:v', 'libx264', '-crf', '10', raw);
    expectRed(await shownColor(done.path));
    expectRed(await shownColor(raw));
  });

  test('and nothing is stated that the source left open, if its height stays on its side', async () => {
    const done = await operate('transcode', at('hd.mp4'), { width: 1920, height: 1080 });
    expect(await streamOf(done.path, 'v')).not.toHaveProperty('color_space');
  });
});

test.each(sampled(['hd.gif', 'hd.mov'], 3))(
  'colors of RGB stay whatever its codec states: %s',
  async (source) => {
    const done = await operate('transcode', at(source), {});
    expectRed(await shownColor(done.path));
    expect(await streamOf(done.path, 'v')).toMatchObject({ color_space: 'bt709' });
  },
);

test('HDR of odd sides is mapped, too', async () => {
  const source = at('odd.mkv');
  const pq = ['-pix_fmt', 'yuv420p10le', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'];
  const vp9 = ['-c:v', 'libvpx-vp9', '-cpu-used', '8', '-deadline', 'realtime', '-color_primaries', 'bt2020'];
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x96:r=10:d=0.5,scale=161:97,setsar=1',
    ...pq,
    ...vp9,
    source,
  );
  const video = await operate('transcode', source, { codec: 'h264' });
  expect(video).toMatchObject({ width: 160, height: 96 });
  const picture = await operate('frame_last', source, { format: 'png' });
  expect(await streamOf(picture.path, 'v')).toMatchObject({ width: 161, height: 97 });
});

test.each(
  sampled(
    [
      ['no matrix', ['-color_primaries', 'bt2020']],
      ['no primaries', ['-colorspace', 'bt2020nc']],
      ['its transfer function alone', []],
    ],
    3,
  ),
)('HDR that states %s is mapped like any other', async (_, tags) => {
  const [whole, part] = [at('whole.mp4'), at('part.mp4')];
  const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];
  const pq = [...x265, '-pix_fmt', 'yuv420p10le', '-color_trc', 'smpte2084'];
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=160x96:r=10:d=0.5'];
  await ffmpeg(...picture, ...pq, '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc', whole);
  await ffmpeg(...picture, ...pq, ...tags, part);
  const mapped = async (path: string) => {
    const { path: made, warnings } = await operate('transcode', path, { codec: 'h264' });
    expect(warnings).toMatchObject([{ code: 'hdr_tonemapped' }]);
    return await shownColor(made);
  };
  expect(await mapped(part)).toEqual(await mapped(whole));
  const pictures = await Promise.all(
    [part, whole].map((path) => operate('frame_last', path, { format: 'png' })),
  );
  const [one, other] = await Promise.all(pictures.map(({ path }) => readFile(path)));
  expect(one).toEqual(other);
});
