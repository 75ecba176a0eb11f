import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { Decoder } from '../../../transcoder/media/libav/child/av.ts';
import { Reader } from '../../../transcoder/media/libav/child/read/reader.ts';
import { readNumbers, readTimes, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints, packetHashes, packetTimes } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { type Done, operate, operateOn, range } from '../operate.ts';
import { drift, measure } from '../timing/distance.ts';
import { random } from './structures.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-codecs-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Frames of the fixture, which is repeated. */
const REPEATED = 180;
const SECONDS = 10;

interface Source {
  file: string;
  rate?: string;
  args: string[];
  /** Containers to cut into, in turn. */
  formats: string[];
}

const x265 = (params: string) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `log-level=none:${params}`],
];
const ten = ['-pix_fmt', 'yuv420p10le'];
const vp9 = ['-c:v', 'libvpx-vp9', '-b:v', '400k', '-g', '70'];

const sources: Record<string, Source> = {
  'HEVC, closed GOPs with B-pyramid': {
    ...{ file: 'closed.mp4', args: x265('open-gop=0:keyint=50:bframes=4:b-adapt=0:ref=3') },
    formats: ['mp4', 'mkv', 'mov'],
  },
  'HEVC, open GOPs, under hvc1': {
    file: 'open.mp4',
    args: [...x265('open-gop=1:keyint=45:bframes=4:b-adapt=0'), '-tag:v', 'hvc1'],
    formats: ['mp4', 'mov', 'mkv'],
  },
  'HEVC, open GOPs of ten bits, 23.976': {
    ...{ file: 'open-10.mp4', rate: '24000/1001', args: [...x265('keyint=48:bframes=3:ref=2'), ...ten] },
    formats: ['mp4', 'mp4', 'mkv'],
  },
  'HEVC, sets and delimiters in each keyframe, four slices, 60 fps': {
    file: 'slices.mkv',
    rate: '60',
    args: x265('open-gop=0:keyint=70:slices=4:ctu=16:repeat-headers=1:aud=1'),
    formats: ['mp4', 'mkv', 'mkv'],
  },
  'HEVC, decodable leading pictures': {
    file: 'radl.mkv',
    args: x265('keyint=40:open-gop=0:radl=2:bframes=3:b-adapt=0'),
    formats: ['mkv', 'mp4', 'mov'],
  },
  'H.264 in Matroska': {
    ...{ file: 'h264.mkv', args: ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3', '-g', '48'] },
    formats: ['mp4', 'mkv', 'mov'],
  },
  'AV1 with hidden frames': {
    file: 'svt.mp4',
    args: ['-c:v', 'libsvtav1', '-preset', '8', '-g', '64'],
    formats: ['mp4', 'webm', 'mkv'],
  },
  'AV1 of ten bits by another encoder': {
    file: 'aom.webm',
    args: ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-b:v', '2M', '-g', '50', ...ten],
    formats: ['webm', 'mp4', 'mkv'],
  },
  'VP9 in realtime': {
    ...{ file: 'realtime.webm', args: [...vp9, '-deadline', 'realtime', '-cpu-used', '8'] },
    formats: ['webm', 'mp4', 'mkv'],
  },
  'VP9 of ten bits with alternate reference frames': {
    file: 'alternate.mp4',
    args: [...vp9, '-deadline', 'good', '-cpu-used', '5', '-lag-in-frames', '25', ...ten],
    formats: ['mp4', 'webm', 'mkv'],
  },
};

async function make({ file, rate = '30', args }: Source): Promise<string> {
  const path = join(directory, file);
  const [numerator = 30, denominator = 1] = rate.split('/').map(Number);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-stream_loop', '-1', '-i', fixture('no-sound.mp4')],
    ...['-map', '0:v', '-vf', `settb=${denominator}/${numerator},setpts=N,fps=${rate}`],
    ...['-fps_mode', 'passthrough', '-t', `${SECONDS}`, '-pix_fmt', 'yuv420p'],
    ...[...args, path],
  ]);
  return path;
}

/** Frames that the libraries of libav decode, where any damage is an error. */
async function decodedByEngine(path: string, format: Demuxer): Promise<number> {
  const reader = await Reader.ofFile({ path, format }, 0);
  const decoder = await Decoder.open(reader.stream);
  let frames = 0;
  const count = async () => {
    frames += 1;
  };
  for (let packet = await reader.next(); packet; packet = await reader.next()) {
    await decoder.send(packet, count);
  }
  await decoder.send(null, count);
  decoder.close();
  await reader.close();
  return frames;
}

interface Reference {
  rate: number;
  frames: number;
  packets: string[];
}

async function checkCut(
  done: Done,
  { start, end, format }: { start: number; end: number; format: string },
  source: Reference,
): Promise<void> {
  const { rate } = source;
  const isMp4 = format === 'mp4' || format === 'mov';
  const edge = (time: number) => time - 0.5 / rate - 1e-6;
  const kept = Array.from({ length: source.frames }, (_, index) => index).filter(
    (index) => index / rate >= edge(start) && index / rate < edge(end),
  );
  expect(await readNumbers(done.path)).toEqual(kept.map((index) => index % REPEATED));
  for (const [index, time] of (await readTimes(done.path)).entries()) {
    expect(Math.abs(time - index / rate)).toBeLessThan(0.0011);
  }
  expect(await complaints(done.path)).toBe('');
  expect(await decodedByEngine(done.path, isMp4 ? 'mov' : 'matroska')).toBe(kept.length);

  const known = new Set(source.packets);
  const { copied_seconds: copied = 0, rendered_seconds: rendered = 0 } = done.data as Record<string, number>;
  expect(copied + rendered).toBeCloseTo(kept.length / rate, 2);
  const same = (await packetHashes(done.path)).filter((hash) => known.has(hash)).length;
  expect(same).toBeGreaterThanOrEqual(Math.round(copied * rate) - 1);
  if (!isMp4) return;
  const packets = await packetTimes(done.path);
  for (const [index, { pts, dts }] of packets.entries()) {
    expect(pts).toBeGreaterThanOrEqual(dts);
    if (index > 0) expect(dts).toBeGreaterThan(packets[index - 1]?.dts ?? dts);
  }
}

describe('a smart cut', () => {
  test.each(sampled(Object.entries(sources), 4))('is exact: %s', async (name, source) => {
    const path = await make(source);
    const [numerator = 30, denominator = 1] = (source.rate ?? '30').split('/').map(Number);
    const packets = await packetHashes(path);
    const rate = numerator / denominator;
    const reference = { rate, frames: Math.ceil(SECONDS * rate), packets };
    const next = random(name.length);
    for (const format of source.formats) {
      const start = Math.round(next() * 3000) / 1000;
      const end = Math.round((start + 3.5 + next() * 3) * 1000) / 1000;
      const done = await operate('cut', path, { start, end, format });
      expect(done.data.copied_seconds, `${start} … ${end} into ${format}`).toBeGreaterThan(0);
      await checkCut(done, { start, end, format }, reference);
      const { codec_tag_string: tag } = await streamOf(done.path, 'v');
      if (name.startsWith('HEVC') && format === 'mp4') expect(tag).toBe('hvc1');
    }
  });
});

describe('ranges and fades', () => {
  test.each([
    ['hevc.mp4', 'mp4'],
    ['hevc-10bit.mp4', 'mkv'],
    ['av1.mp4', 'mp4'],
    ['av1.mp4', 'webm'],
    ['vp9.webm', 'webm'],
  ])('are spliced: %s into %s', async (file, format) => {
    const segments = [
      { start: 3.5, end: 5.9 },
      { start: 0.5, end: 3.1 },
    ];
    const done = await operate('cut', file, { segments, fade_in: 0.3, fade_out: 0.4, format });
    expect(done.data.copied_seconds).toBeGreaterThan(1);
    const numbers = await readNumbers(done.path);
    const kept = segments.flatMap(({ start, end }) => range(Math.round(start * 30), Math.round(end * 30)));
    expect(numbers).toHaveLength(kept.length);
    expect(numbers.slice(12, -14)).toEqual(kept.slice(12, -14));
    expect(await complaints(done.path)).toBe('');
    expect(await decodedByEngine(done.path, format === 'mp4' ? 'mov' : 'matroska')).toBe(kept.length);
  });
});

describe('joints of a merge', () => {
  test.each([
    ['hevc.mp4', 'mp4', 9],
    ['hdr10.mp4', 'mkv', 9],
    ['av1.mp4', 'mp4', 9],
    ['vp9.webm', 'webm', 5],
  ])('alone are rendered: %s into %s', async (file, format, least) => {
    const url = 'https://media.example.com/clip';
    const urls = [url, { url, start: 1 }];
    const done = await operateOn('merge_urls', [file, file], {
      urls,
      transition: 'fade',
      duration: 0.5,
      format,
    });
    expect(done.data.copied_seconds).toBeGreaterThan(least);
    const numbers = await readNumbers(done.path);
    expect(numbers.slice(0, 160)).toEqual(range(0, 160));
    expect(numbers.slice(185)).toEqual(range(50, 180));
    expect(await complaints(done.path)).toBe('');
  });
});

describe('the sound of a smart cut', () => {
  test.each([
    ['hevc.mp4', 'mp4', 'aac'],
    ['hevc-10bit.mp4', 'mkv', 'aac'],
    ['av1.mp4', 'webm', 'opus'],
    ['vp9.webm', 'webm', 'opus'],
    ['vp9.webm', 'mp4', 'aac'],
    ['pcm.mov', 'mp4', 'aac'],
  ])('stays with the picture: %s into %s', async (file, format, codec) => {
    const done = await operate('cut', file, { start: 0.5, end: 4.4, format });
    expect(done.data.copied_seconds).toBeGreaterThan(0);
    expect(await streamOf(done.path, 'a')).toMatchObject({ codec_name: codec });
    const apart = drift(await measure(fixture(file)), await measure(done.path));
    expect(apart).toHaveLength(4);
    for (const milliseconds of apart) expect(Math.abs(milliseconds)).toBeLessThan(1);
    expect(await readNumbers(done.path)).toEqual(range(15, 132));
    expect(await complaints(done.path)).toBe('');
  });
});
