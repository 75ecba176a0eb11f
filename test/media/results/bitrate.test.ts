import { mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { likeness } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';

/** Ten seconds each; without sound, so that the file is the picture. */
const SECONDS = 10;
const contents = {
  easy: 'mandelbrot=s=320x180:r=30:start_scale=1:end_scale=0.1',
  hard: 'testsrc2=s=320x180:r=30,noise=alls=8:allf=t',
};
const kbps = { easy: 400, hard: 2500 };
const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '60'];
const encoders = {
  h264: { container: 'mp4', args: x264 },
  hevc: {
    container: 'mp4',
    args: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-tag:v', 'hvc1'],
  },
  vp9: { container: 'webm', args: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'] },
  av1: { container: 'mp4', args: ['-c:v', 'libsvtav1', '-preset', '12'] },
} as const;

type Content = keyof typeof contents;
type Codec = keyof typeof encoders;

const directory = mkdtempSync(join(tmpdir(), 'spool-bitrate-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function make(codec: Codec, content: Content): Promise<string> {
  const { container, args } = encoders[codec];
  const path = join(directory, `${codec}-${content}.${container}`);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', contents[content], '-t', `${SECONDS}`],
    ...['-pix_fmt', 'yuv420p', ...args, '-b:v', `${kbps[content]}k`, path],
  ]);
  return path;
}

/** Kilobits in a second of the file. */
async function bitrateOf(path: string, seconds = SECONDS): Promise<number> {
  return ((await stat(path)).size * 8) / seconds / 1000;
}

function expectNear(measured: number, wanted: number): void {
  expect(measured / wanted).toBeGreaterThan(0.85);
  expect(measured / wanted).toBeLessThan(1.15);
}

const kinds = (['h264', 'hevc', 'vp9', 'av1'] as const).flatMap((codec) =>
  (['easy', 'hard'] as const).map((content) => ({ codec, content })),
);
const url = 'https://media.example.com/a';

describe('quality: match_source gives the bitrate of the source', () => {
  test.each(sampled(kinds, 3))('to $codec transcoded to itself ($content)', async ({ codec, content }) => {
    const source = await make(codec, content);
    const format = encoders[codec].container;
    const done = await operate('transcode', source, { format, codec, quality: 'match_source' });
    expectNear(await bitrateOf(done.path), await bitrateOf(source));
  });

  test.each(sampled(['hevc', 'vp9', 'av1'] as const, 3))('to h264 transcoded to %s', async (codec) => {
    const source = await make('h264', 'hard');
    const done = await operate('transcode', source, { codec, format: codec === 'vp9' ? 'webm' : 'mp4' });
    expectNear(await bitrateOf(done.path), await bitrateOf(source));
  });

  test.each(sampled(['easy', 'hard'] as const, 3))(
    'to a crop, in proportion to its pixels (%s)',
    async (content) => {
      const source = await make('h264', content);
      const done = await operate('crop', source, { x: 0, y: 0, width: 240, height: 180 });
      expectNear(await bitrateOf(done.path), (await bitrateOf(source)) * 0.75);
    },
  );

  test('to pixels that are not square', async () => {
    const path = join(directory, 'oblong.mp4');
    const oblong = ['-i', await make('h264', 'hard'), '-vf', 'setsar=16/9', ...x264, '-b:v', '2500k'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...oblong, path]);
    const done = await operate('transcode', path, {});
    expectNear(await bitrateOf(done.path), await bitrateOf(path));
  });

  test('to each of merged clips, as it has it', async () => {
    const [first, second] = [await make('h264', 'hard'), await make('vp9', 'easy')];
    const done = await operateOn('merge_urls', [first, second], {
      urls: [url, url],
      transition: 'fade',
      duration: 1,
    });
    const beginning = join(directory, 'beginning.mp4');
    const shown = ['-t', `${SECONDS - 1}`, '-c', 'copy'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', done.path, ...shown, beginning]);
    expectNear(await bitrateOf(beginning), await bitrateOf(first));
    expect(await bitrateOf(done.path, done.duration ?? 0)).toBeLessThan(0.9 * (await bitrateOf(first)));
  });

  test('from the first frames on, however few bits there are', async () => {
    const path = join(directory, 'few-bits.mp4');
    const busy = ['-f', 'lavfi', '-i', 'testsrc2=s=360x240:r=30,noise=alls=3:allf=t', '-t', '4'];
    const x265 = [...encoders.hevc.args, '-b:v', '60k'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...busy, ...x265, path]);
    const done = await operate('transcode', path, { codec: 'h264' });
    // Without a coarsest quantiser: 29.9 dB.
    expect(Math.min(...(await likeness(done.path, path)))).toBeGreaterThan(31);
  });

  test('to a picture that holds less than it at its best, what it needs', async () => {
    const path = join(directory, 'padded.mp4');
    const still = ['-f', 'lavfi', '-i', 'color=gray:s=320x180:r=30', '-t', `${SECONDS}`];
    const padding = ['-x264-params', 'nal-hrd=cbr', '-b:v', '900k', '-maxrate', '900k', '-bufsize', '900k'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...still, ...x264, ...padding, path]);
    expect(await bitrateOf(path)).toBeGreaterThan(800);
    const done = await operate('transcode', path, {});
    expect(await bitrateOf(done.path)).toBeLessThan(100);
  });
});
