import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { type Span, Spans } from '../../../transcoder/model/source/byte-ranges.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import type { MediaSource } from '../../../transcoder/model/source/media-source.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx } from '../operate.ts';
import { makeClock, oddClocks, pipedClocks } from './odd-clocks.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-clock-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

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

/** What a full decode by ffprobe says of the first stream of either kind; null where there is none. */
async function decoded(path: string): Promise<{ video: Decoded | null; audio: Decoded | null }> {
  const entries = [
    'frame=stream_index,best_effort_timestamp_time,pkt_duration_time,nb_samples,sample_rate',
    'stream=index,codec_type,sample_rate,avg_frame_rate',
  ].join(':');
  const args = ['-v', 'error', '-of', 'json', '-show_entries', entries, path];
  const { stdout } = await run(programs, 'ffprobe', args);
  const { streams, frames } = JSON.parse(stdout) as Printed;
  const of = (kind: 'video' | 'audio') => {
    const stream = streams.find(({ codec_type }) => codec_type === kind);
    const own = frames.filter(({ stream_index }) => stream_index === stream?.index);
    return stream && own.length > 0 ? extentOf(kind, stream, own) : null;
  };
  return { video: of('video'), audio: of('audio') };
}

type Printed = Record<'streams' | 'frames', Record<string, string>[]>;

function extentOf(
  kind: 'video' | 'audio',
  stream: Record<string, string>,
  frames: readonly Record<string, string>[],
): Decoded {
  const [numerator = 0, denominator = 1] = (stream.avg_frame_rate ?? '0/1').split('/').map(Number);
  const spans = frames.map((frame) => {
    const start = Number(frame.best_effort_timestamp_time);
    const own =
      Number(frame.pkt_duration_time) || (numerator > 0 ? denominator / numerator : Number.POSITIVE_INFINITY);
    const samples = Number(frame.nb_samples) / Number(stream.sample_rate);
    // A container may end its sound within the last frame of the codec.
    return { start, end: start + (kind === 'video' ? own : Math.min(samples, own)) };
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
  test.each(sampled(Object.keys({ ...oddClocks, ...pipedClocks }), 3))('of %s', async (name) => {
    const path = await makeClock(directory, name);
    const { video, audio } = await decoded(path);
    const source = await sourceAt(path);
    const warnings: string[] = [];
    const log = { ...ctx.log, warn: (message: string) => warnings.push(message) } as never;
    agree(await probeMedia({ ...ctx, log }, source), video, audio);
    expect(warnings).toEqual([]);
    if (byProgram.includes(name)) agree(await probeMedia({ ...ctx, libav: null }, source), video, audio);
  });
});

/** A source of which nothing is present yet, as if it were far away. @param brought Takes the bytes that are asked for. */
async function farAway(path: string, brought: Span[]): Promise<MediaSource> {
  const source = await sourceAt(path);
  const here = new Spans([[0, 65_536]]);
  return {
    ...source,
    parts: () => ({ ...source.parts(), present: here.list() }),
    bring: async ([from, to]) => {
      const span: Span = [from, Math.min(source.bytes, Math.max(to, from + 65_536))];
      brought.push(span);
      here.add(span);
      return here.around(from) ?? span;
    },
  };
}

const SECONDS = 20;
const noise = ['-f', 'lavfi', '-i', `nullsrc=s=320x180:r=10:d=${SECONDS},geq=random(1)*255:128:128`];
const tone = ['-f', 'lavfi', '-i', `sine=duration=${SECONDS}`];
const dense = ['-c:v', 'mpeg4', '-q:v', '1', '-g', '20', '-c:a', 'aac'];
const dry = ['-v', 'error', '-nostdin', '-y'];

test('the end of a long source is found without reading all of it', async () => {
  const all = join(directory, 'all.mkv');
  await run(programs, 'ffmpeg', [...dry, ...noise, ...tone, ...dense, all]);
  const containers: Record<string, string[]> = {
    'far.mkv': ['-live', '1', '-cluster_time_limit', '1000'],
    'far.ts': [],
    'far.mp4': ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
    'far.avi': [],
  };
  for (const [name, args] of Object.entries(containers)) {
    const path = join(directory, name);
    await run(programs, 'ffmpeg', [...dry, '-i', all, '-c', 'copy', ...args, path]);
    const brought: Span[] = [];
    const source = await farAway(path, brought);
    expect(source.bytes, name).toBeGreaterThan(8_000_000);
    const probe = await probeMedia(ctx, source);
    expect(Math.abs((probe.duration ?? 0) - SECONDS), name).toBeLessThan(0.2);
    const read = brought.reduce((sum, [from, to]) => sum + to - from, 0);
    expect(read, name).toBeLessThan(source.bytes / 2);
  }
});
