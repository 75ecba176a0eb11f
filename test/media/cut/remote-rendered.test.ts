import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { likeness } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { type Attempts, startAttempts } from '../attempt.ts';
import { operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Sources that are so large that what is rendered of them is fetched alone. */
const SECONDS = 90;

const at = (name: string) => join(scratch(), name);
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
const shown = (size: string, fps = 10) => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${fps}:d=${SECONDS},noise=alls=60:allf=t`],
  ...['-f', 'lavfi', '-i', `aevalsrc='0.3*sin(2*PI*(200+t)*t)+0.5*lt(mod(t,1),0.01)':d=${SECONDS}:s=48000`],
];
const rate = ['-b:v', '3M', '-maxrate', '4M', '-bufsize', '2M', '-pix_fmt', 'yuv420p'];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '20', '-bf', '2', ...rate];

/** By name, how a file is encoded. */
const files: Record<string, readonly string[]> = {
  'vp8.webm': ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-g', '30', ...rate],
  'mpeg4.avi': ['-c:v', 'mpeg4', '-bf', '0', '-c:a', 'mp3', ...rate],
  'mpeg4.mp4': ['-c:v', 'mpeg4', '-bf', '2', '-c:a', 'aac', ...rate],
  'mpeg2.mkv': ['-c:v', 'mpeg2video', '-bf', '2', '-c:a', 'ac3', ...rate],
  'mjpeg.mov': ['-c:v', 'mjpeg', '-q:v', '8', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le'],
  'prores.mov': ['-c:v', 'prores_ks', '-profile:v', '2', '-c:a', 'pcm_s16le'],
  'h264.mp4': [...x264, '-c:a', 'aac'],
};

let attempts: Attempts;
beforeAll(async () => {
  for (const [name, args] of Object.entries(files)) await ffmpeg(...shown('320x180'), ...args, at(name));
  await ffmpeg(...shown('180x320', 12), ...x264, '-c:a', 'aac', at('upright.mp4'));
  attempts = await startAttempts(scratch());
}, 600_000);
afterAll(() => attempts?.close());

interface Asked {
  operation?: OperationName;
  files: string[];
  request: (urls: string[]) => Record<string, unknown>;
}

/** A whole attempt, and the share of its sources that it read. */
async function read({ operation = 'cut', files, request }: Asked, from = attempts) {
  const input = request(files.map((name) => from.media(name)));
  const outcome = await from.run(operation, input, AbortSignal.timeout(200_000));
  if (outcome.type !== 'completed') throw new Error(JSON.stringify(outcome));
  const { files: made, bytes_read = 0 } = outcome.result;
  const sizes = await Promise.all(files.map(async (name) => (await stat(at(name))).size));
  const share = bytes_read / sizes.reduce((sum, size) => sum + size, 0);
  return { path: from.stored(made[0]?.key ?? ''), share };
}

/** The same of whole files. */
async function readWhole({ operation = 'cut', files, request }: Asked): Promise<string> {
  const input = request(files.map((name) => `https://media.example.com/${name}`));
  return (await operateOn(operation, files.map(at), input)).path;
}

/** x264 with a bounded bitrate never makes the same file twice: each picture has to be more like its counterpart than like the next one. */
async function expectAlike(part: string, whole: string): Promise<void> {
  const count = async (path: string) => (await likeness(path, path)).length;
  expect(await count(part)).toBe(await count(whole));
  const alike = await likeness(part, whole);
  const next = await likeness(part, whole, 'select=gte(n\\,1)');
  expect(next.length).toBeGreaterThan(20);
  // At the end, the filter compares with the last frame.
  for (const [index, decibels] of next.slice(0, -1).entries())
    expect(alike[index]).toBeGreaterThan(decibels + 3);
  expect((await samplesOf(part)).equals(await samplesOf(whole))).toBe(true);
}

async function samplesOf(path: string): Promise<Buffer> {
  const samples = `${path}.raw`;
  await ffmpeg('-i', path, '-map', '0:a', '-f', 's16le', samples);
  return readFile(samples);
}

const cutOf =
  (more: Record<string, unknown> = {}) =>
  ([video_url]: string[]) => ({ video_url, start: 50.21, duration: 3, ...more });
const two = {
  start: undefined,
  duration: undefined,
  segments: [70, 20].map((start) => ({ start, end: start + 1.3 })),
};
const joined =
  (more: Record<string, unknown> = {}) =>
  ([first, second]: string[]) => ({
    urls: [
      { url: first, start: 50.21, end: 53 },
      { url: second, start: 20.03, end: 22 },
    ],
    ...more,
  });
const clips = { operation: 'merge_urls', files: ['h264.mp4', 'upright.mp4'] } as const;

const rows: [what: string, asked: Asked][] = [
  ...['vp8.webm', 'mpeg4.avi', 'mpeg4.mp4', 'mpeg2.mkv', 'mjpeg.mov', 'prores.mov'].map(
    (name): [string, Asked] => [name, { files: [name], request: cutOf() }],
  ),
  ['H.264 as AV1', { files: ['h264.mp4'], request: cutOf({ codec: 'av1' }) }],
  ['two ranges of VP8', { files: ['vp8.webm'], request: cutOf(two) }],
  ['H.264 as WebM', { files: ['h264.mp4'], request: cutOf({ format: 'webm' }) }],
  ['the end of MPEG-4', { files: ['mpeg4.mp4'], request: cutOf({ start: 87, duration: 3 }) }],
  ['the start of MPEG-4', { files: ['mpeg4.avi'], request: cutOf({ start: 0 }) }],
  ['clips of two shapes', { ...clips, files: [...clips.files], request: joined() }],
  [
    'a transition between them',
    { ...clips, files: [...clips.files], request: joined({ transition: 'fade' }) },
  ],
];

test.each(sampled(rows, 3))(
  'what is rendered of a distant file is fetched alone, with an equal result: %s',
  async (_, asked) => {
    const part = await read(asked);
    expect(part.share).toBeLessThan(0.7);
    await expectAlike(part.path, await readWhole(asked));
  },
  300_000,
);

test.each(sampled(['vp8.webm', 'mpeg4.avi', 'mpeg4.mp4'], 3))(
  'a result is right even if too little of a file was fetched: %s',
  async (name) => {
    const careless = await startAttempts(scratch(), { reach: async () => true });
    const asked: Asked = { files: [name], request: cutOf() };
    try {
      const part = await read(asked, careless);
      await expectAlike(part.path, await readWhole(asked));
    } finally {
      await careless.close();
    }
  },
  300_000,
);
