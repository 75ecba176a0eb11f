import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 25;

async function made(name: string, pixels: string, quantiser: number): Promise<string> {
  const path = join(scratch(), name);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', `testsrc2=s=192x108:r=${RATE}:d=4`],
    ...['-pix_fmt', pixels, '-c:v', 'libx264', '-preset', 'veryfast'],
    ...['-x264-params', `qp=${quantiser}:keyint=${RATE}:scenecut=0`, path],
  ]);
  return path;
}

/** Hashes of the decoded pictures. */
async function pictures(path: string): Promise<string[]> {
  const args = ['-i', path, '-an', '-fps_mode', 'passthrough', '-f', 'framemd5', '-'];
  const { stdout } = await run(programs, 'ffmpeg', ['-v', 'error', ...args]);
  return stdout.split('\n').flatMap((line) => (/^\d/.test(line) ? (line.split(',')[5]?.trim() ?? []) : []));
}

const segments = [
  { start: 0.52, end: 1.52 },
  { start: 2.2, end: 3.4 },
];
const framesOf = (all: readonly string[]) =>
  segments.flatMap(({ start, end }) => all.slice(Math.round(start * RATE), Math.round(end * RATE)));

test.each(sampled(['yuv420p', 'yuv420p10le'], 3))(
  'a lossless picture is cut without any loss: %s',
  async (pixels) => {
    const source = await made(`${pixels}.mp4`, pixels, 0);
    const done = await operate('cut', source, { segments });
    expect(done.data.copied_seconds).toBeGreaterThan(0.5);
    expect(await pictures(done.path)).toEqual(framesOf(await pictures(source)));
  },
);

test('a lossless clip stays whole behind another one', async () => {
  const [lossless, other] = [
    await made('lossless.mp4', 'yuv420p', 0),
    await made('other.mp4', 'yuv420p', 23),
  ];
  const sources = [lossless, other, lossless];
  const urls = sources.map(() => 'https://media.example.com/clip.mp4');
  const shown = await pictures((await operateOn('merge_urls', sources, { urls })).path);
  const whole = await pictures(lossless);
  expect(shown).toHaveLength(3 * whole.length);
  expect(shown.slice(0, whole.length)).toEqual(whole);
  expect(shown.slice(2 * whole.length)).toEqual(whole);
});
