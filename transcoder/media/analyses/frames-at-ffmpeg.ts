import { type DecodedSource, decodedSource } from '../../ffmpeg/arguments.ts';
import { isBlack } from '../../ffmpeg/black-frames.ts';
import { blackArguments, decodedArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { Interval } from '../../model/numbers/interval.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Moment, Picture } from '../../model/plan.ts';
import { canSeek, type MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import type { Packet } from '../../model/source/packets.ts';
import { presentationFilters } from '../../model/source/presentation.ts';
import { isTimedByPackets, timeUnit, type VideoStream } from '../../model/source/video-stream.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { listPackets } from './packets.ts';

export interface Reading {
  ctx: MediaContext;
  source: MediaSource;
  probe: MediaProbe;
  video: VideoStream;
  signal: AbortSignal | undefined;
}

type Found = Omit<Picture, 'drawn'>;

/** Seconds before the end to decode when looking for the last frame; each window is tried only if the previous one had no frame. */
const lastWindows = [2, 20, 120, null] as const;
/** Seconds before a black frame to search for one that is not black. */
const litWindows = [4, 30, 300, null] as const;
const TINY = 1e-6;

/** Finds the frame shown at each moment, or the nearest earlier frame that is not black, with ffprobe and ffmpeg. */
export async function findByProgram(
  reading: Reading,
  moments: readonly Moment[],
  skipBlack: boolean,
): Promise<(Found | null)[]> {
  const { probe } = reading;
  if (probe.still) return moments.map(() => ({ pts: 0, seek: null }));
  const timed = moments.flatMap((moment) => ('at' in moment ? [probe.origin + moment.at] : []));
  const shown = timed.length > 0 ? await shownAt(reading, timed) : [];
  const pictures: (Found | null)[] = [];
  for (const moment of moments) {
    const picture = 'at' in moment ? (shown.shift() ?? null) : await beforeEnd(reading, moment.beforeEnd);
    pictures.push(picture && skipBlack ? await lit(reading, picture) : picture);
  }
  return pictures;
}

/** Looks up packets around each time; frames that depend on the same keyframe share a seek position. */
async function shownAt(reading: Reading, times: number[]): Promise<(Found | null)[]> {
  const { ctx, source, probe, video, signal } = reading;
  const margin = Math.max(1, 8 * video.frameDuration);
  const seekable = canSeek(probe);
  const intervals = seekable
    ? times.map((time) => [time > margin ? time - margin : null, time + margin] as const)
    : [];
  const packets = await listPackets(ctx, source, video, intervals, signal);
  const until = [[null, greatest(times) + margin] as const];
  const shown = video.interlaced ? await withFrames(reading, packets, seekable ? intervals : until) : packets;
  const sorted = shown.toSorted((a, b) => a.pts - b.pts);
  return times.map((time) => {
    const at = Math.max(
      0,
      sorted.findLastIndex((packet) => packet.pts <= time + TINY),
    );
    const packet = sorted[at];
    if (!packet) return null;
    const key = sorted.slice(0, at + 1).findLast((candidate) => candidate.key);
    return { pts: packet.pts, seek: seekable && key && key.pts > probe.origin ? key.pts : null };
  });
}

/** Without packets that hold the second field of a frame, which is shown with the first. */
async function withFrames(
  reading: Reading,
  packets: readonly Packet[],
  intervals: readonly Interval[],
): Promise<readonly Packet[]> {
  const { ctx, video, signal } = reading;
  const file = await decodedFile(reading);
  const args = decodedArguments(file, video.index, intervals);
  const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path] });
  const unit = timeUnit(video);
  const ticks = new Set([...stdout.matchAll(/^-?\d+/gm)].map(([text]) => Number(text)));
  const shown = packets.filter(({ pts }) => ticks.has(Math.round(pts / unit)));
  return shown.length > 0 ? shown : packets;
}

/** Decodes the end of the video, in growing windows, until a frame is output. */
async function beforeEnd(reading: Reading, epsilon: number): Promise<Found | null> {
  const { ctx, source, probe, video, signal } = reading;
  const end = video.startTime + video.duration;
  for (const window of !isTimedByPackets(video) ? [null] : lastWindows) {
    const from = window === null ? null : end - epsilon - window;
    if (from !== null && from <= probe.origin) continue;
    const times = (await timesFrom(reading, from)).sort((a, b) => a - b);
    const last = times.at(-1);
    if (last === undefined) continue;
    // After an incomplete refresh, the decoder does not output every frame.
    if (from !== null) {
      const packets = await listPackets(ctx, source, video, [[from, null]], signal);
      if (packets.some(({ pts }) => pts > last + TINY)) continue;
    }
    const target = epsilon === 0 ? last : last + video.frameDuration - epsilon;
    const pts = times.findLast((time) => time <= target + TINY);
    if (pts !== undefined) return { pts, seek: from };
    if (from === null) return { pts: times[0] ?? last, seek: null };
  }
  return null;
}

async function decodedFile({ ctx, source, video }: Reading): Promise<DecodedSource> {
  return decodedSource(await source.whole(), video, ctx.capabilities);
}

/** Times of decoded frames; packet times where frames have none. */
async function timesFrom(reading: Reading, from: number | null): Promise<number[]> {
  const { ctx, source, video, signal } = reading;
  const interval = from === null ? [] : [[from, null] as const];
  if (!isTimedByPackets(video)) {
    return (await listPackets(ctx, source, video, interval, signal)).map(({ pts }) => pts);
  }
  const file = await decodedFile(reading);
  const args = decodedArguments(file, video.index, interval);
  const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path] });
  return [...stdout.matchAll(/^-?\d+/gm)].map(([text]) => Number(text) * timeUnit(video));
}

/** Returns the frame itself if everything before it is black. */
async function lit(reading: Reading, picture: Found): Promise<Found> {
  const { ctx, probe, video, signal } = reading;
  for (const window of litWindows) {
    const from = window === null ? probe.origin : Math.max(probe.origin, picture.pts - window);
    const seek = canSeek(probe) && from > probe.origin + 1 ? from - 1 : null;
    const span = [from - TINY, picture.pts + video.frameDuration / 2] as const;
    const file = await decodedFile(reading);
    const args = blackArguments(file, video.index, seek, span, presentationFilters(video, seek !== null));
    const { stdout } = await run(ctx.programs, 'ffmpeg', args, { signal, reads: [file.path] });
    const found = blacknessOf(stdout).findLast(({ black }) => !isBlack(black));
    if (found) return { pts: found.pts * timeUnit(video), seek };
    if (from === probe.origin) break;
  }
  return picture;
}

/** Parses two lines per frame: its timestamp, then how much of it is black, in percent. */
function blacknessOf(printed: string): { pts: number; black: number }[] {
  const lines = printed.split('\n');
  return lines.flatMap((line, index) => {
    const pts = /\bpts:\s*(-?\d+)/.exec(line)?.[1];
    const black = /\bpblack=(\d+)/.exec(lines[index + 1] ?? '')?.[1];
    return pts === undefined || black === undefined ? [] : [{ pts: Number(pts), black: Number(black) }];
  });
}
