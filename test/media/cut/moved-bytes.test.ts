import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { soundEndingAt, withAdts, withEmptySound, withSharedBytes } from '../../fixtures/changed-samples.ts';
import { copiedHashes, packetsByTrack, trackTicks } from '../../fixtures/demuxed.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { writeTracked } from '../results/tracked.ts';
import { scratch } from '../scratch.ts';

interface Source {
  /** A fixture, or arguments that choose tracks of `tracks.mp4`. */
  file?: string;
  tracks?: string[];
  /** Arguments of ffmpeg before and after the file. */
  before?: string[];
  args?: string[];
  operation?: OperationName;
  request?: Record<string, unknown>;
  /** Of its bytes, the part that is there. */
  part?: number;
  /** Changes the file after it was made. */
  change?: (file: Buffer) => Buffer;
  /** Whether packets are written one by one: see `SampleWriter`. */
  muxed?: boolean;
}

/** Sources all of whose packets are samples, and what is cut out of each. */
const sources: Record<string, Source> = {
  'B-frames and sound': { file: 'plain.mp4' },
  'a cut between keyframes': { file: 'plain.mp4', request: { start: 2, end: 4 } },
  'several segments': {
    file: 'plain.mp4',
    request: {
      segments: [
        { start: 0.3, end: 2.4 },
        { start: 2.9, end: 3 },
        { start: 3.5, end: 5.9 },
      ],
    },
  },
  'a sound of their own clock': {
    file: 'plain.mp4',
    args: ['-itsoffset', '0.237', '-i', fixture('sound.m4a'), '-map', '0:v', '-map', '1:a'],
  },
  'no sound': { file: 'no-sound.mp4' },
  'sound in another codec': {
    file: 'plain.mp4',
    args: ['-i', fixture('sound.mp3'), '-map', '0:v', '-map', '1:a'],
    muxed: true,
  },
  'frames that an edit list hides': {
    file: 'plain.mp4',
    before: ['-ss', '1.3'],
    request: { start: 0.3, end: 3.4 },
  },
  'open GOPs': { file: 'open-gop.mp4' },
  HEVC: { file: 'hevc.mp4' },
  'HEVC of 10 bits': { file: 'hevc-10bit.mp4' },
  AV1: { file: 'av1.mp4', muxed: true },
  HDR: { file: 'hdr10.mp4' },
  'H.264 of 10 bits': { file: 'h264-10bit.mp4' },
  'a varying rate': { file: 'vfr.mp4' },
  'a rate of 59.94': { file: 'sixty.mp4' },
  'a turned picture': { file: 'rotated.mp4' },
  'wide pixels': { file: 'wide-pixels.mp4' },
  'two sounds': { file: 'two-tracks.mp4', args: ['-map', '0'] },
  'sounds, a text and chapters': { tracks: ['-map', '0:v', '-map', '0:a', '-map', '0:s'] },
  'a text and a caption track': {
    ...{ tracks: ['-map', '0:v', '-map', '0:a:0', '-map', '0:s'], operation: 'captions_auto' },
    request: { embed: 'soft', outputs: [], captions: '1\n00:00:01,200 --> 00:00:01,800\nHello\n' },
  },
  'chapters in QuickTime': {
    tracks: ['-map', '0:v', '-map', '0:a:2'],
    request: {
      segments: [
        { start: 5, end: 9 },
        { start: 1, end: 3 },
      ],
      format: 'mov',
    },
  },
  'a text track': {
    ...{ file: 'plain.mp4', operation: 'captions_auto' },
    request: {
      ...{ embed: 'soft', outputs: [], language: 'en' },
      captions: '1\n00:00:01,200 --> 00:00:01,800\nHello\n\n2\n00:00:05,000 --> 00:00:05,500\nWorld\n',
    },
  },
  'an end that is missing': { file: 'plain.mp4', part: 0.6, request: { start: 0.7, end: 3 } },
  'a container of QuickTime': { file: 'plain.mp4', request: { start: 0.7, end: 5.2, format: 'mov' } },
  tags: { file: 'tagged.mp4' },
  'sound that begins late': { file: 'late-sound.mp4' },
  // The end of a packet.
  'sound that its edit list ends early': { file: 'plain.mp4', change: soundEndingAt(3.008) },
  'GOPs that share their bytes': {
    ...{ file: 'no-sound.mp4', request: { start: 2.5, end: 5 }, change: withSharedBytes, muxed: true },
  },
  'sound with an empty packet': {
    ...{ file: 'plain.mp4', request: { start: 0.7, end: 6 }, change: withEmptySound, muxed: true },
  },
  'sound with headers of ADTS': { file: 'plain.mp4', change: withAdts, muxed: true },
};

const tracked = join(scratch(), 'tracks.mp4');
beforeAll(() => writeTracked((name) => join(scratch(), name)));

/** A file as ffmpeg copies it. @param part Of its bytes, with the index in front if it is cut off. */
async function copied(name: string, args: readonly string[], part: number): Promise<string> {
  const path = join(scratch(), `${name.replaceAll(/\W+/g, '-')}.mp4`);
  const flags = part < 1 ? ['-movflags', '+faststart'] : [];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, '-c', 'copy', ...flags, path]);
  if (part < 1) await truncate(path, Math.floor((await stat(path)).size * part));
  return path;
}

/** The same file announcing fragments, which says nothing of its index: its packets have to be read one by one. */
async function announcingFragments(path: string): Promise<string> {
  const file = await readFile(path);
  const at = file.indexOf('moov') - 4;
  const behind = at + file.readUInt32BE(at);
  const announced = Buffer.from([0, 0, 0, 8, ...Buffer.from('mvex')]);
  // An empty box follows an index in front.
  const free = file.toString('latin1', behind + 4, behind + 8) === 'free';
  if (behind < file.length && !free) throw new Error('the index cannot grow');
  const longer = Buffer.concat([
    file.subarray(0, behind),
    announced,
    file.subarray(free ? behind + 8 : behind),
  ]);
  longer.writeUInt32BE(behind - at + announced.length, at);
  const other = path.replace(/\.mp4$/, '-fragments.mp4');
  await writeFile(other, longer);
  return other;
}

async function streams(path: string): Promise<unknown> {
  const args = ['-v', 'error', '-show_streams', '-show_chapters', '-show_format', '-of', 'json', path];
  const { stdout } = await run(programs, 'ffprobe', args);
  const { streams: found, chapters, format } = JSON.parse(stdout);
  const { size: _, bit_rate: __, filename: ___, ...rest } = format;
  return { streams: found, chapters, format: rest };
}

async function contents(path: string): Promise<unknown> {
  const tracks = await packetsByTrack(path);
  const lasts = [await trackTicks(path, 'v'), await trackTicks(path, 'a')];
  return { tracks, lasts, hashes: await copiedHashes(path), streams: await streams(path) };
}

test.each(sampled(Object.entries(sources), 3))(
  'with %s a cut is the same whether samples are moved or packets are read',
  async (name, source) => {
    const { file, tracks, before = [], operation = 'cut', muxed = false, part = 1, change } = source;
    const { args = tracks ?? [] } = source;
    const { request = { start: 0.7, end: 5.2 } } = source;
    const made = file === undefined ? tracked : fixture(file);
    const path = await copied(name, [...before, '-i', made, ...args], part);
    if (change) await writeFile(path, change(await readFile(path)));
    const moved = await operate(operation, path, request);
    const read = await operate(operation, await announcingFragments(path), request);
    expect(moved.data.copied_seconds).toBeGreaterThan(0);
    expect((await readFile(moved.path)).equals(await readFile(read.path))).toBe(muxed);
    expect(await contents(moved.path)).toEqual(await contents(read.path));
    expect(await complaints(moved.path)).toBe('');
  },
  120_000,
);
