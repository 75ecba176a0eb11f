import { statesIntra } from '../../bitstream/intra.ts';
import { frameArguments, packetArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import { JoinedClocks } from '../../model/joined-clocks.ts';
import type { Interval } from '../../model/numbers/interval.ts';
import type { Analysis } from '../../model/plan.ts';
import { packetsOf, shownPackets } from '../../model/source/gop-survey.ts';
import { type MediaSource, missingBytes, type SourceParts } from '../../model/source/media-source.ts';
import { type Packet, Packets } from '../../model/source/packets.ts';
import { mayBeJoined, type StatedVideo, timeUnit } from '../../model/source/video-stream.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { answerOrNull } from '../libav/pool.ts';
import type { PacketsRequest } from '../libav/protocol.ts';
import { type Analyzed, type Analyzer, videoOf } from './analyzer.ts';

/**
 * Packets of a video stream in decoding order, without duplicates and without those hidden by an edit list. Throws JoinedClocks if the
 * source consists of several recordings.
 */
export async function listPackets(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  intervals: readonly Interval[],
  signal: AbortSignal | undefined,
): Promise<Packet[]> {
  if (video.timedByDecoding) return listFrames(ctx, source, video, signal);
  const spans = joined(intervals);
  const packets =
    (await byLibav(ctx, source, video, spans, signal)) ??
    (await byProgram(ctx, source, video, spans, signal));
  const found = new Map<number, Packet>();
  for (const packet of packets) if (!found.has(packet.pts)) found.set(packet.pts, packet);
  return [...found.values()];
}

async function byLibav(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  intervals: readonly Interval[],
  signal: AbortSignal | undefined,
): Promise<Packet[] | null> {
  const unit = timeUnit(video);
  const ticks = (seconds: number | null) => (seconds === null ? null : Math.floor(seconds / unit));
  const request: PacketsRequest = {
    kind: 'packets',
    source: forTimes(source, video),
    stream: video.index,
    parsed: statesIntra(video.codec),
    slack: Math.ceil(Math.max(1, 8 * video.frameDuration) / unit),
    intervals:
      intervals.length > 0 ? intervals.map(([from, to]) => [ticks(from), ticks(to)]) : [[null, null]],
  };
  const listed = await answerOrNull(ctx, request, { sources: [source], signal }, 'list packets');
  if (!listed) return null;
  const { pts, dts, duration, key, joined } = listed;
  if (joined && mayBeJoined(source.format)) throw new JoinedClocks(null);
  const seconds = (tick: number | null | undefined) => (typeof tick === 'number' ? tick * unit : null);
  return pts.map((tick, index) => ({
    pts: tick * unit,
    dts: seconds(dts[index]),
    duration: seconds(duration[index]) || null,
    key: key[index] === true,
  }));
}

/** Codecs whose mp4 index describes their packets as well as their bytes do. */
const fullyIndexed = ['h264', 'hevc', 'av1', 'prores', 'dnxhd', 'cfhd', 'mjpeg', 'dvvideo'];

/** An mp4 index holds times and keyframes: if it is present, the packet bytes themselves may be missing. */
function forTimes(source: MediaSource, { codec }: StatedVideo): SourceParts {
  const parts = source.parts();
  return source.indexed && fullyIndexed.includes(codec) ? { ...parts, present: null } : parts;
}

async function byProgram(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  intervals: readonly Interval[],
  signal: AbortSignal | undefined,
): Promise<Packet[]> {
  const file = await source.whole();
  const args = packetArguments(file, video.index, intervals);
  const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path] });
  const unit = timeUnit(video);
  return stdout.split('\n').flatMap((line) => {
    const [pts = '', dts = '', duration = '', flags = ''] = line.split(',');
    const number = (text: string) => (/^-?\d+$/.test(text) ? Number(text) * unit : null);
    const time = number(pts) ?? number(dts);
    if (time === null || flags.includes('D')) return [];
    return [{ pts: time, dts: number(dts), duration: number(duration), key: flags.includes('K') }];
  });
}

/** All frames, for a source whose packets do not say when frames are shown; those at the end follow at its frame rate. */
export async function listFrames(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  signal: AbortSignal | undefined,
): Promise<Packet[]> {
  const file = { ...(await source.whole()), presented: false, codec: video.codec };
  const args = frameArguments(file, video.index);
  const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path] });
  let last = Number.NEGATIVE_INFINITY;
  return [...stdout.matchAll(/^([01]),(-?\d+|N\/A)/gm)].flatMap(([, key, tick]) => {
    const stated = Number(tick) * timeUnit(video);
    last = stated > last ? stated : last + video.frameDuration;
    return Number.isFinite(last) ? { pts: last, dts: null, duration: null, key: key === '1' } : [];
  });
}

/** Sorts the intervals and merges those that touch; returns none if one of them covers the whole file. */
function joined(intervals: readonly Interval[]): Interval[] {
  const low = (interval: Interval) => interval[0] ?? Number.NEGATIVE_INFINITY;
  const high = (interval: Interval) => interval[1] ?? Number.POSITIVE_INFINITY;
  const made: Interval[] = [];
  for (const interval of [...intervals].sort((a, b) => low(a) - low(b))) {
    const last = made.at(-1);
    if (!last || low(interval) > high(last)) made.push(interval);
    else if (high(interval) > high(last)) made[made.length - 1] = [last[0], interval[1]];
  }
  return made.some(([from, to]) => from === null && to === null) ? [] : made;
}

/**
 * Whether listing a source would fetch more than `most` bytes, and nothing else is to be learned from it: of a transport stream, it shows
 * that the clock begins again, unless a look at many places shows that it does not.
 */
async function isOutlined(
  ctx: MediaContext,
  about: Analyzed,
  most: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { source, probe } = about;
  if (missingBytes(forTimes(source, videoOf(about, 'packets'))) <= most || probe.still) return false;
  if (source.format !== 'mpegts') return true;
  const { origin, duration } = probe;
  const asked = { kind: 'part', source: source.parts(), origin, start: duration, end: duration } as const;
  return (
    (await answerOrNull(ctx, asked, { sources: [source], signal }, 'read the clock of a source')) !== null
  );
}

export const packets: Analyzer<Extract<Analysis, { kind: 'packets' }>> = async (
  ctx,
  { intervals, most },
  about,
  { signal },
) => {
  const video = videoOf(about, 'packets');
  const surveyed = packetsOf(about.facts.survey, video);
  if (surveyed) return { packets: surveyed };
  if (most !== undefined && (await isOutlined(ctx, about, most, signal))) return {};
  const listed = await listPackets(ctx, about.source, video, intervals, signal);
  return { packets: Packets.of(shownPackets(listed, video)) };
};
