import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { type PictureColor, readColor, readColors, streamOf } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-untagged-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const path = (name: string) => join(directory, `${name}.mp4`);
const rgb = join(directory, 'rgb.mkv');
const bt709 = ['-colorspace', 'bt709', '-color_trc', 'bt709', '-color_primaries', 'bt709'];
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

/** Two seconds of red, coded with this matrix. */
const make = (name: string, size: string, matrix: 'bt601' | 'bt709', ...more: string[]) =>
  ffmpeg(
    ...['-f', 'lavfi', '-i', `color=0xc81e1e:s=${size}:r=25,format=rgb24`, '-t', '2'],
    ...['-vf', `scale=out_color_matrix=${matrix},format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', ...more, path(name)],
  );

beforeAll(async () => {
  await make('untagged', '320x180', 'bt601');
  await make('tagged', '320x180', 'bt709', ...bt709);
  await ffmpeg(
    ...['-i', path('untagged'), '-vf', 'scale=out_range=full,format=yuv420p', '-color_range', 'pc'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', path('full')],
  );
  await make('large', '1280x720', 'bt709');
  await ffmpeg(
    ...['-f', 'lavfi', '-i', 'color=0xc81e1e:s=320x180:r=25,format=gbrp', '-t', '1', '-c:v', 'ffv1', rgb],
  );
  for (const [name, range] of [
    ['dark', 'limited'],
    ['dark-full', 'full'],
  ] as const)
    await ffmpeg(
      ...['-f', 'lavfi', '-i', 'color=0x282828:s=320x180:r=25,format=rgb24', '-t', '0.9'],
      ...['-vf', `scale=out_range=${range},format=${range === 'full' ? 'yuvj420p' : 'yuv420p'}`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', path(name)],
    );
  const pq = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'];
  await ffmpeg(
    ...['-i', path('tagged'), '-vf', 'format=yuv420p10le', '-c:v', 'libx265', '-preset', 'ultrafast'],
    ...['-x265-params', 'log-level=error', ...pq, '-tag:v', 'hvc1', path('hdr')],
  );
  await ffmpeg('-f', 'lavfi', '-i', 'sine=300', '-t', '1', join(directory, 'tone.wav'));
}, 60_000);

const url = 'https://media.example.com/clip';

/** What players show of a file that states no colors and has fewer than 720 lines, or that states its colors. */
function expectRed({ r, g, b }: PictureColor): void {
  for (const [found, wanted] of [
    [r, 200],
    [g, 30],
    [b, 30],
  ] as const)
    expect(Math.abs(found - wanted)).toBeLessThan(6);
}

test.each(
  sampled(
    [
      ['untagged', 'tagged'],
      ['tagged', 'untagged'],
      ['untagged', 'large'],
    ],
    3,
  ),
)('clips that state their colors and clips that do not look alike in a merge: %s, %s', async (...names) => {
  const done = await operateOn('merge_urls', names.map(path), { urls: [url, url] });
  const colors = await readColors(done.path);
  expect(colors).toHaveLength(100);
  for (const color of colors) expectRed(color);
});

test('a merge that is re-encoded states the same colors from the first frame to the last', async () => {
  const names = ['untagged', 'tagged', 'untagged'];
  const request = { urls: names.map(() => url), width: 160, height: 90, transition: 'fade', duration: 0.2 };
  const done = await operateOn('merge_urls', names.map(path), request);
  const colors = await readColors(done.path);
  expect(colors).toHaveLength(140);
  for (const color of colors) expectRed(color);
});

test.each(sampled(['stretch', 'cover'], 3))(
  'clips that are resized to a full-range output keep their levels: %s',
  async (fit) => {
    const names = ['full', 'large', 'full'];
    const request = { urls: names.map(() => url), width: 160, height: 120, fit };
    const done = await operateOn('merge_urls', names.map(path), request);
    const colors = await readColors(done.path);
    expect(colors).toHaveLength(150);
    for (const color of colors) expectRed(color);
  },
);

test('clips in RGB keep their hue and levels, resized or not', async () => {
  const size = { width: 160, height: 120, fit: 'stretch' };
  for (const [first, request] of [
    [path('large'), size],
    [rgb, size],
    [path('full'), size],
    [path('full'), {}],
  ] as const) {
    const done = await operateOn('merge_urls', [first, rgb], { urls: [url, url], ...request });
    for (const color of await readColors(done.path)) expectRed(color);
  }
});

test.each(sampled(['contain', 'stretch', 'cover'], 3))(
  'full-range clips that are resized to a limited-range output keep their levels: %s',
  async (fit) => {
    const names = ['dark', 'dark-full', 'dark-full'];
    const size = { width: 160, height: fit === 'contain' ? 90 : 120 };
    const request = { urls: names.map(() => url), ...size, fit, transition: 'fade', duration: 0.4 };
    const done = await operateOn('merge_urls', names.map(path), request);
    const colors = await readColors(done.path);
    expect(colors).toHaveLength(49);
    for (const { g } of colors) expect(Math.abs(g - 40)).toBeLessThan(4);
  },
);

test.each(sampled(['transcode', 'crop'] as const, 3))(
  'a full-range video that is resized keeps its levels: %s',
  async (name) => {
    const request = { transcode: { height: 90 }, crop: { aspect_ratio: '4:3', output_width: 160 } }[name];
    const done = await operate(name, path('full'), request);
    for (const color of await readColors(done.path)) expectRed(color);
  },
);

test('an HDR clip has the same hue behind an untagged clip as behind one in BT.709', async () => {
  const after = async (first: string) => {
    const done = await operateOn('merge_urls', [path(first), path('hdr')], { urls: [url, url] });
    return (await readColors(done.path))[75];
  };
  const [untagged, tagged] = [await after('untagged'), await after('tagged')];
  for (const key of ['r', 'g', 'b'] as const)
    expect(Math.abs((untagged?.[key] ?? 0) - (tagged?.[key] ?? 999))).toBeLessThan(6);
});

test('an untagged video states the colors of its old size if players assume others at the new one', async () => {
  const { path: small } = await operate('transcode', path('large'), { height: 360 });
  expect(await streamOf(small, 'v')).toMatchObject({
    ...{ height: 360, color_space: 'bt709', color_primaries: 'bt709', color_transfer: 'bt709' },
  });
  expectRed(await readColor(small, { x: 0, y: 0, width: 1, height: 1 }));
  const { path: alike } = await operate('transcode', path('untagged'), { height: 90 });
  expect(await streamOf(alike, 'v')).not.toHaveProperty('color_space');
});

test('an untagged background video of 720 lines keeps its colors behind a visualizer', async () => {
  const sources = [join(directory, 'tone.wav'), path('large')];
  const request = { audio_url: url, video_url: url, width: 320, height: 180, style: 'line' };
  const done = await operateOn('visualize', sources, request);
  expectRed(await readColor(done.path, { x: 0, y: 0, width: 0.2, height: 0.2 }));
});
