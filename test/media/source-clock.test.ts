import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { type MediaProbe, probeMedia } from '../../transcoder/media/probe.ts';
import { completeSource, type MediaSource } from '../../transcoder/media-source.ts';
import { demuxerOfFile } from '../../transcoder/source/sniff.ts';
import { fixture, programs } from '../fixtures/make.ts';
import { ctx } from './engine.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-clock-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: directory });

const master = ['-t', '2', '-i', fixture('master.nut')];
const small = ['-vf', 'scale=160:90', '-pix_fmt', 'yuv420p'];
const h264 = [...small, '-c:v', 'libx264', '-preset', 'veryfast', '-g', '15', '-bf', '2'];
const vp8 = [...small, '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'];
const asp = [...small, '-c:v', 'mpeg4', '-bf', '2', '-g', '15'];
const aac = ['-c:a', 'aac'];
const opus = ['-c:a', 'libopus'];
const sound = ['-map', '0:a'];
const both = ['-map', '0:v', '-map', '0:a'];
const lines = ['1\n00:00:00,500 --> 00:00:01,000\nOne\n', '2\n00:00:06,000 --> 00:00:08,000\nTwo\n'];
const captions = ['-i', 'long.srt', ...both, '-map', '1'];

/** By file, what ffmpeg makes it with. Those that are streamed cannot go back to write how long they are. */
const made: Record<string, string[]> = {
  'stated.mkv': [...master, ...h264, ...aac],
  'unstated.mkv': [...master, ...h264, ...aac, '-live', '1'],
  'unstated.webm': [...master, ...vp8, ...opus, '-live', '1'],
  'unstated-sound.webm': [...master, ...sound, ...opus, '-live', '1'],
  'unstated-picture.webm': [...master, ...vp8, '-an', '-live', '1'],
  'vorbis.mkv': [...master, ...h264, '-c:a', 'libvorbis', '-live', '1'],
  'captions.mkv': [...master, ...captions, ...h264, ...aac, '-c:s', 'srt'],
  'captions.mp4': [...master, ...captions, ...h264, ...aac, '-c:s', 'mov_text'],
  'chapters.mp4': [...master, '-i', 'chapters.txt', '-map_metadata', '1', ...both, ...h264, ...aac],
  'plain.ts': [...master, ...h264, ...aac],
  'late.ts': [...master, ...h264, ...aac, '-output_ts_offset', '700'],
  'wrapped.ts': [...master, ...h264, ...aac, '-output_ts_offset', '95441'],
  'wraps.ts': [...master, ...h264, ...aac, '-output_ts_offset', '95441.5'],
  'picture.ts': [...master, ...h264, '-an', '-output_ts_offset', '95440'],
  'mpeg2.ts': [...master, ...small, '-c:v', 'mpeg2video', '-bf', '2', '-c:a', 'mp2'],
  'stated.flv': [...master, ...h264, ...aac],
  'unstated.flv': [...master, ...h264, ...aac, '-flvflags', 'no_duration_filesize'],
  'fragments.mp4': [...master, ...h264, ...aac, '-movflags', 'frag_keyframe+empty_moov'],
  'more-fragments.mp4': [...master, ...h264, ...aac, '-movflags', 'frag_keyframe'],
  'late.mkv': [...master, ...h264, ...aac, '-output_ts_offset', '700'],
  'sound-ends-first.mkv': [
    '-t',
    '2',
    ...master.slice(2),
    '-t',
    '1',
    ...master.slice(2),
    '-map',
    '0:v',
    '-map',
    '1:a',
    ...h264,
    ...aac,
  ],
  'b-frames.avi': [...master, ...h264, '-c:a', 'libmp3lame'],
  'asp.avi': [...master, ...asp, '-c:a', 'pcm_s16le'],
  'adts.aac': [...master, ...sound, ...aac],
  'no-header.mp3': [...master, ...sound, '-c:a', 'libmp3lame', '-q:a', '2', '-write_xing', '0'],
  'header.mp3': [...master, ...sound, '-c:a', 'libmp3lame'],
  'opus.ogg': [...master, ...sound, ...opus],
  'vorbis.ogg': [...master, ...sound, '-c:a', 'libvorbis'],
  'stated.flac': [...master, ...sound],
  'stated.wav': [...master, ...sound],
  'anim.gif': ['-t', '1', ...master.slice(2), '-map', '0:v', '-vf', 'fps=10,scale=160:90'],
  'one-frame.mp4': [...master, ...h264, '-an', '-frames:v', '1'],
  'one-frame.webm': [...master, ...vp8, '-an', '-frames:v', '1', '-live', '1'],
};
const streamed: Record<string, string[]> = {
  'unstated.flac': [...master, ...sound, '-f', 'flac'],
  'unstated.wav': [...master, ...sound, '-f', 'wav'],
};

async function make(name: string, args: string[]): Promise<string> {
  await writeFile(join(directory, 'long.srt'), lines.join('\n'));
  const chapter = ['[CHAPTER]', 'TIMEBASE=1/1000', 'START=0', 'END=9000', 'title=All'];
  await writeFile(join(directory, 'chapters.txt'), [';FFMETADATA1', ...chapter, ''].join('\n'));
  const path = join(directory, name);
  if (!(name in streamed)) await ffmpeg(...args, path);
  else {
    const parts: Buffer[] = [];
    const options = { cwd: directory, onOutput: (chunk: Buffer) => parts.push(chunk) };
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...args, 'pipe:1'], options);
    await writeFile(path, Buffer.concat(parts));
  }
  return path;
}

async function sourceAt(path: string): Promise<MediaSource> {
  const format = await demuxerOfFile(path);
  if (!format) throw new Error(`${path} is not media`);
  return completeSource({ path, format });
}

interface Decoded {
  start: number;
  end: number;
  frames: number;
}

/** What a full decode by ffprobe says of a stream; null where there is none. */
async function decoded(path: string, kind: 'v:0' | 'a:0'): Promise<Decoded | null> {
  const entries =
    'frame=best_effort_timestamp_time,pkt_duration_time,nb_samples,sample_rate:stream=sample_rate,avg_frame_rate';
  const args = ['-v', 'error', '-of', 'json', '-select_streams', kind, '-show_entries', entries, path];
  const { stdout } = await run(programs, 'ffprobe', args);
  const { streams, frames } = JSON.parse(stdout) as Record<'streams' | 'frames', Record<string, string>[]>;
  const [stream] = streams;
  if (!stream || frames.length === 0) return null;
  const [numerator = 0, denominator = 1] = (stream.avg_frame_rate ?? '0/1').split('/').map(Number);
  const spans = frames.map((frame) => {
    const start = Number(frame.best_effort_timestamp_time);
    const own =
      Number(frame.pkt_duration_time) || (numerator > 0 ? denominator / numerator : Number.POSITIVE_INFINITY);
    const samples = Number(frame.nb_samples) / Number(stream.sample_rate);
    // A container may end its sound within the last frame of the codec.
    return { start, end: start + (kind === 'v:0' ? own : Math.min(samples, own)) };
  });
  // A container without presentation times shows frame n at n divided by the frame rate.
  if (spans.some(({ start }) => Number.isNaN(start))) {
    return { start: 0, end: (frames.length * denominator) / numerator, frames: frames.length };
  }
  return {
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
    frames: frames.length,
  };
}

/** Containers that count in milliseconds round each time. */
const ROUNDED = 0.0021;
/** A fragment may end its sound within a frame of the codec, of which older versions of ffprobe know nothing. */
const AAC_FRAME = 1024 / 48_000;

function agree(probe: MediaProbe, video: Decoded | null, audio: Decoded | null): void {
  const near = probe.container === 'mp4' ? AAC_FRAME : ROUNDED;
  const all = [video, audio].filter((track) => track !== null);
  const start = Math.min(...all.map((track) => track.start));
  const end = Math.max(...all.map((track) => track.end));
  expect(probe.still).toBe(false);
  expect(Math.abs(probe.origin - start)).toBeLessThan(ROUNDED);
  expect(Math.abs((probe.duration ?? 0) - (end - start))).toBeLessThan(near);
  for (const [stream, track] of [[probe.video, video] as const, [probe.audio, audio] as const]) {
    expect(stream === null).toBe(track === null);
    if (!stream || !track) continue;
    expect(Math.abs(stream.startTime - track.start)).toBeLessThan(ROUNDED);
    expect(Math.abs(stream.startTime + stream.duration - track.end)).toBeLessThan(near);
  }
}

/** Those that ffprobe is asked about too, as it is without libav. */
const byProgram = [
  'unstated.webm',
  'chapters.mp4',
  'wrapped.ts',
  'unstated.flv',
  'asp.avi',
  'header.mp3',
  'opus.ogg',
];

describe('origin and length are those of a full decode', () => {
  test.each(Object.entries({ ...made, ...streamed }))('of %s', async (name, args) => {
    const path = await make(name, args);
    const [video, audio] = [await decoded(path, 'v:0'), await decoded(path, 'a:0')];
    const source = await sourceAt(path);
    const warnings: string[] = [];
    const log = { ...ctx.log, warn: (message: string) => warnings.push(message) } as never;
    agree(await probeMedia({ ...ctx, log }, source), video, audio);
    expect(warnings).toEqual([]);
    if (byProgram.includes(name)) agree(await probeMedia({ ...ctx, engine: null }, source), video, audio);
  });
});
