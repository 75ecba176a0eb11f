import { greatest, least } from '../extremes.ts';
import type { Interval } from '../ffmpeg/inspect.ts';
import type { Packet } from '../media/plan.ts';
import { canSeek, type MediaProbe, type VideoStream } from '../media/probe.ts';

/** Seconds from the start of the source, as a player counts them. */
export interface Span {
  start: number;
  end: number;
}

/** The frames that a span keeps, in timestamps of the file. */
export interface Kept {
  /** Frames from here … */
  from: number;
  /** … up to here, exclusive; both lie between frames. Null: to the end. */
  to: number | null;
  /** Timestamp of the first frame; null where no frame is kept. */
  first: number | null;
  /** How many; null where the source would have to be read to know. */
  frames: number | null;
}

const TINY = 1e-6;

/** Whether the packets have to be listed to know the frames of a span. */
export function needsPackets(video: VideoStream): boolean {
  return video.pace !== 'constant';
}

/** The interval of packets that decides which frames a span keeps. */
export function packetsAround(probe: MediaProbe, video: VideoStream, span: Span): Interval {
  const margin = Math.max(1, 8 * video.frameDuration);
  const from = probe.origin + span.start - margin;
  const to = probe.duration !== null && span.end >= probe.duration ? null : probe.origin + span.end + margin;
  return [from <= 0 || !canSeek(probe) ? null : from, to];
}

/**
 * The frames with start − ½f ≤ pts < end − ½f, f being the duration of a frame, or the gap to the next one where
 * that is shorter.
 */
export function keptFrames(
  probe: MediaProbe,
  video: VideoStream,
  span: Span,
  packets?: readonly Packet[],
): Kept {
  const start = probe.origin + span.start;
  const end = probe.origin + span.end;
  return packets ? keptOf(packets, video, start, end) : keptOnGrid(video, start, end);
}

function keptOnGrid(video: VideoStream, start: number, end: number): Kept {
  const { frameDuration, startTime, frames } = video;
  const zero = startTime ?? 0;
  const count = frames ?? Number.POSITIVE_INFINITY;
  const index = (time: number) =>
    Math.min(count, Math.max(0, Math.ceil((time - zero) / frameDuration - 0.5 - TINY)));
  const [low, high] = [index(start), index(end)];
  const edge = (at: number) => zero + (at - 0.5) * frameDuration;
  return {
    from: edge(low),
    to: high >= count ? null : edge(high),
    first: high > low ? zero + low * frameDuration : null,
    frames: high - low,
  };
}

function keptOf(packets: readonly Packet[], video: VideoStream, start: number, end: number): Kept {
  const times = packets.map((packet) => packet.pts).sort((a, b) => a - b);
  const half = (index: number) => {
    const [here = 0, next, before] = [times[index], times[index + 1], times[index - 1]];
    const gap = next !== undefined ? next - here : before !== undefined ? here - before : video.frameDuration;
    return Math.min(video.frameDuration, gap) / 2;
  };
  const firstFrom = (time: number) => {
    const found = times.findIndex((pts, index) => pts >= time - half(index) - TINY);
    return found < 0 ? times.length : found;
  };
  const [low, high] = [firstFrom(start), firstFrom(end)];
  const edge = (index: number) => {
    const [here, before] = [times[index], times[index - 1]];
    if (here === undefined) return before === undefined ? start : before + video.frameDuration / 2;
    return before === undefined ? here - video.frameDuration / 2 : (here + before) / 2;
  };
  return {
    from: edge(low),
    to: high >= times.length ? null : edge(high),
    first: high > low ? (times[low] ?? null) : null,
    frames: high - low,
  };
}

/**
 * Where reading begins for everything from `time` on: early enough that a keyframe whose decoding time lies before it
 * is shown before it too, and that sound decoders have settled.
 */
export function seekBefore(probe: MediaProbe, time: number): number | null {
  if (!canSeek(probe)) return null;
  const lead = Math.max(1, 8 * (probe.video?.frameDuration ?? 0));
  return time - probe.origin > lead ? time - lead : null;
}

/** Whether the frames of these packets stand at irregular distances. */
export function isVariable(packets: readonly Packet[]): boolean {
  const times = packets.map((packet) => packet.pts).sort((a, b) => a - b);
  const gaps = times.slice(1).map((pts, index) => pts - (times[index] ?? pts));
  if (gaps.length < 2) return false;
  return greatest(gaps) - least(gaps) > 0.0025;
}
