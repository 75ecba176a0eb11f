import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { operate, operateOn } from '../operate.ts';
import { ffmpeg } from '../results/tracked.ts';
import { scratch } from '../scratch.ts';

const url = 'https://media.example.com/clip';
const made = (name: string) => join(scratch(), name);

beforeAll(() => {
  const pattern = (color: string[], ...coding: string[]) => [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=0.4,format=yuv420p'],
    ...color.flatMap((value, index) => [`-${['colorspace', 'color_primaries', 'color_trc'][index]}`, value]),
    ...coding,
  ];
  ffmpeg(...pattern(['bt709', 'bt709', 'bt709'], '-c:v', 'libx264'), made('tagged.mp4'));
  ffmpeg(...pattern([], '-c:v', 'libx264'), made('untagged.mp4'));
  const pq = ['bt2020nc', 'bt2020', 'smpte2084'];
  const deep = [
    '-pix_fmt',
    'yuv420p10le',
    '-c:v',
    'libx265',
    '-tag:v',
    'hvc1',
    '-x265-params',
    'log-level=none',
  ];
  ffmpeg(...pattern(pq, ...deep), made('pq.mp4'));
});

/** The pixel at the left of the top row in 8 bits, by this matrix. */
const cornerOf = (path: string, matrix: string): number[] => [
  ...ffmpeg(
    ...['-i', path, '-frames:v', '1'],
    ...[
      '-vf',
      `crop=2:2:8:8,scale=in_color_matrix=${matrix}:out_range=full:flags=accurate_rnd+full_chroma_int,format=rgb24,crop=1:1`,
    ],
    ...['-f', 'rawvideo', '-'],
  ),
];

const padded = { aspect_ratio: '1:1', fill: 'pad' };
const joined = { urls: [{ url }, { url }], width: 1280, height: 1280, fit: 'contain' };

test.each(['tagged.mp4', 'untagged.mp4'])('bars around %s have their color', async (name) => {
  for (const background of ['#00ff00', '#c81e5a', '#ffffff', '#123456']) {
    const wanted = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16));
    const crop = await operate('crop', made(name), { ...padded, background });
    const merged = await operateOn('merge_urls', [made(name), made(name)], { ...joined, background });
    for (const { path } of [crop, merged]) {
      for (const [index, level] of cornerOf(path, 'bt709').entries())
        expect(Math.abs(level - (wanted[index] ?? 0)), `${background} ${path}`).toBeLessThan(5);
    }
  }
});

test('bars around HDR are as bright as the white of SDR in it', async () => {
  const { path } = await operate('crop', made('pq.mp4'), { ...padded, background: '#ffffff' });
  const luma = ffmpeg(
    ...['-i', path, '-frames:v', '1', '-vf', 'crop=2:2:8:8', '-pix_fmt', 'yuv420p10le'],
    '-f',
    'rawvideo',
    '-',
  );
  // 203 nits are 58 % of the signal of PQ, between 64 and 940 (ITU-R BT.2408).
  expect(Math.abs(luma.readUInt16LE(0) - 572)).toBeLessThan(12);
});
