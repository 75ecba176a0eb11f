import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { av1Unit, isAv1Key, obuType, sequenceOf, splitObus } from '../../../transcoder/bitstream/av1-obus.ts';
import { vp9Frames, vp9Key } from '../../../transcoder/bitstream/vp9-frames.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-av1-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Ivf {
  path: string;
  head: Buffer;
  /** With the header of each. */
  frames: { head: Buffer; data: Buffer }[];
}

/** A stream of 60 frames that an encoder makes with these arguments, in one pass or two. */
async function encode(args: string[], passes: 1 | 2 = 1): Promise<Ivf> {
  const path = join(directory, 'stream.ivf');
  const input = ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-frames:v', '60', '-an'];
  const log = ['-passlogfile', join(directory, 'log')];
  if (passes === 2) await run(programs, 'ffmpeg', [...input, ...args, '-pass', '1', ...log, path]);
  const last = passes === 2 ? ['-pass', '2', ...log] : [];
  await run(programs, 'ffmpeg', [...input, ...args, ...last, path]);
  const bytes = await readFile(path);
  const frames: Ivf['frames'] = [];
  for (let at = bytes.readUInt16LE(6); at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    frames.push({ head: bytes.subarray(at, at + 12), data: bytes.subarray(at + 12, at + 12 + length) });
    at += 12 + length;
  }
  return { path, head: bytes.subarray(0, bytes.readUInt16LE(6)), frames };
}

async function decoded(path: string): Promise<string[]> {
  const args = ['-v', 'warning', '-xerror', '-err_detect', 'explode', '-i', path, '-f', 'framemd5', '-'];
  const { stdout, stderrTail } = await run(programs, 'ffmpeg', args);
  expect(stderrTail).toBe('');
  return stdout
    .split('\n')
    .flatMap((line) => (/^\d/.test(line) ? (line.split(',').at(-1)?.trim() ?? []) : []));
}

/** Which packets ffmpeg's own parser says are keyframes. */
async function keysOf(path: string): Promise<number[]> {
  const entries = ['-show_entries', 'packet=flags', '-of', 'csv=p=0'];
  const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', ...entries, path]);
  return stdout
    .trim()
    .split('\n')
    .flatMap((flags, index) => (flags.startsWith('K') ? [index] : []));
}

const tagged = [
  ...['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'pc'],
];

const av1Streams: [string, string[], Record<string, unknown>][] = [
  [
    'SVT-AV1 with hidden frames',
    ['-c:v', 'libsvtav1', '-preset', '8', '-pix_fmt', 'yuv420p', '-g', '20'],
    { profile: 0, bitDepth: 8, subsampling: [1, 1], color: [2, 2, 2] },
  ],
  [
    'SVT-AV1 of ten bits',
    ['-c:v', 'libsvtav1', '-preset', '10', '-pix_fmt', 'yuv420p10le', '-g', '20', ...tagged],
    { profile: 0, bitDepth: 10, color: [1, 1, 1], fullRange: true },
  ],
  [
    'libaom with film grain',
    ['-c:v', 'libaom-av1', '-cpu-used', '8', '-g', '20', '-denoise-noise-level', '10'],
    { profile: 0, bitDepth: 8, filmGrain: true },
  ],
  [
    'libaom without lag, 4:4:4',
    ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-pix_fmt', 'yuv444p', '-g', '20'],
    { profile: 1, bitDepth: 8, subsampling: [0, 0] },
  ],
];

describe('AV1', () => {
  it.each(sampled(av1Streams, 3))('tells its key frames and format: %s', async (_, args, format) => {
    const { path, head, frames } = await encode(args);
    const units = frames.map(({ data }) => splitObus(data));
    const found = sequenceOf(units[0] ?? []);
    if (!found) throw new Error('no sequence header');
    const { level, profile } = await streamOf(path, 'v');
    expect(found.sequence).toMatchObject({ ...format, width: 320, height: 180, level, still: false });
    expect(profile).toBe(found.sequence.profile === 1 ? 'High' : 'Main');
    const keys = units.flatMap((obus, index) => (isAv1Key(obus, found.sequence) ? [index] : []));
    expect(keys).toEqual(await keysOf(path));
    expect(keys.length).toBeGreaterThan(1);
    const pictures = await decoded(path);
    expect(pictures).toHaveLength(60);

    const bare = units.map((obus) => obus.filter(({ type }) => type !== obuType.sequence));
    const again = bare.map((obus, index) => av1Unit(obus, keys.includes(index) ? found.obu.bytes : null));
    const other = join(directory, 'again.obu');
    const delimiter = Buffer.of((obuType.delimiter << 3) | 2, 0);
    await writeFile(other, Buffer.concat(again.flatMap((unit) => [delimiter, unit])));
    expect(head.toString('latin1', 8, 12)).toBe('AV01');
    expect(await decoded(other)).toEqual(pictures);
  });
});

const vp9Streams: [string, string[], Record<string, unknown>][] = [
  [
    'hidden frames in superframes',
    ['-auto-alt-ref', '1', '-lag-in-frames', '25', '-g', '30', '-b:v', '200k'],
    { profile: 0, bitDepth: 8, subsampling: [1, 1], fullRange: false },
  ],
  [
    'ten bits, tagged',
    ['-pix_fmt', 'yuv420p10le', '-lag-in-frames', '0', '-g', '20', ...tagged],
    { profile: 2, bitDepth: 10, colorSpace: 2, fullRange: true },
  ],
  ['4:4:4', ['-pix_fmt', 'yuv444p', '-g', '20'], { profile: 1, bitDepth: 8, subsampling: [0, 0] }],
  ['sRGB', ['-pix_fmt', 'gbrp', '-g', '20'], { profile: 1, colorSpace: 7, subsampling: [0, 0] }],
];

describe('VP9', () => {
  it.each(sampled(vp9Streams, 3))('tells its key frames and format: %s', async (name, args, format) => {
    const encoder = ['-c:v', 'libvpx-vp9', '-deadline', 'good', '-cpu-used', '5'];
    const hidden = name === 'hidden frames in superframes';
    const { path, frames } = await encode([...encoder, ...args], hidden ? 2 : 1);
    const keys = frames.flatMap(({ data }, index) => (vp9Key(data) ? [index] : []));
    expect(keys).toEqual(await keysOf(path));
    expect(keys.length).toBeGreaterThan(1);
    expect(vp9Key(frames[0]?.data ?? Buffer.of())).toMatchObject({ ...format, width: 320, height: 180 });
    const superframes = frames.filter(({ data }) => vp9Frames(data).length > 1);
    expect(superframes.length > 0).toBe(hidden);
  });
});
