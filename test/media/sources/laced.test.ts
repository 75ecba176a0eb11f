import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { ebml, elementsOf } from '../../fixtures/ebml.ts';
import { programs } from '../../fixtures/make.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** ALAC in Matroska with several frames in a block, of which only the first has a time; no length is stated. */
const FILE = 'laced.mka';
const [RATE, SAMPLES] = [44_100, 100_000];
const FRAMES_A_BLOCK = 8;
const ids = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  time: 0xe7,
  block: 0xa3,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
};

/** Xiph lacing: the sizes of all frames but the last, each as a sum of bytes of which only the last is below 255. */
function laced(frames: readonly Buffer[]): Buffer {
  const sizes = frames
    .slice(0, -1)
    .flatMap(({ length }) => [...Array(Math.floor(length / 255)).fill(255), length % 255]);
  return Buffer.concat([Buffer.from([frames.length - 1, ...sizes]), ...frames]);
}

beforeAll(async () => {
  const plain = join(scratch(), 'plain.mka');
  const clicks = `aevalsrc='0.8*sin(2*PI*440*t)*lt(mod(t,0.5),0.05)':s=${RATE}`;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', clicks],
    ...['-af', `atrim=end_sample=${SAMPLES}`, '-c:a', 'alac', plain],
  ]);
  const [head, segment] = elementsOf(await readFile(plain));
  const parts = elementsOf(segment?.content ?? Buffer.alloc(0));
  const kept = parts.filter(({ id }) => id === ids.info || id === ids.tracks);
  const blocks = parts
    .filter(({ id }) => id === ids.cluster)
    .flatMap(({ content }) => elementsOf(content))
    .flatMap(({ id, content }) =>
      id === ids.block ? [content.subarray(4)] : id === 0xa0 ? lastFrame(content) : [],
    );
  const clusters = Array.from({ length: Math.ceil(blocks.length / FRAMES_A_BLOCK) }, (_, index) => {
    const time = Buffer.alloc(4);
    time.writeUInt32BE(Math.round((index * FRAMES_A_BLOCK * 4096 * 1000) / RATE));
    const frames = blocks.slice(index * FRAMES_A_BLOCK, (index + 1) * FRAMES_A_BLOCK);
    // Track 1, at the time of the cluster, a keyframe, with Xiph lacing.
    const block = Buffer.concat([Buffer.from([0x81, 0, 0, 0x82]), laced(frames)]);
    return ebml(ids.cluster, ebml(ids.time, time), ebml(ids.block, block));
  });
  const file = [
    ebml(0x1a45dfa3, head?.content ?? Buffer.alloc(0)),
    ebml(ids.segment, ...kept.map(({ id, content }) => ebml(id, content)), ...clusters),
  ];
  await writeFile(join(scratch(), FILE), Buffer.concat(file));
});

/** The frame of a block group: its block without track, time and flags. */
function lastFrame(group: Buffer): Buffer[] {
  return elementsOf(group).flatMap(({ id, content }) => (id === 0xa1 ? [content.subarray(4)] : []));
}

test('all of it is read: the length is that of the samples', async () => {
  const done = await operate('probe', join(scratch(), FILE), {});
  expect(done.data).toMatchObject({ duration: expect.closeTo(SAMPLES / RATE, 3) });
});

test('a cut begins at the sample asked for', async () => {
  const asked = { audio_url: 'https://media.example.com/laced', start: 0.9, end: 2.2 };
  const done = await operate('cut', join(scratch(), FILE), asked);
  const { stderrTail } = await run(programs, 'ffmpeg', [
    ...['-v', 'info', '-nostats', '-nostdin', '-i', done.path],
    ...['-af', 'silencedetect=noise=0.01:d=0.1', '-f', 'null', '-'],
  ]);
  const ends = [...stderrTail.matchAll(/silence_end: ([\d.]+)/g)].map(([, at]) => Number(at));
  expect(ends[0]).toBeCloseTo(0.1, 2);
  expect(ends[1]).toBeCloseTo(0.6, 2);
});

test('a copy in MP4 is as long', async () => {
  const asked = { audio_url: 'https://media.example.com/laced', format: 'm4a' };
  const done = await operate('remux', join(scratch(), FILE), asked);
  const { data } = await operate('probe', done.path, {});
  expect(data).toMatchObject({ duration: expect.closeTo(SAMPLES / RATE, 3) });
});
