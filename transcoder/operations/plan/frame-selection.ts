import { firstAtLeast, firstIndex } from '../../model/numbers/first-index.ts';
import type { Interval } from '../../model/numbers/interval.ts';
import { secondsOf, ticksOf, timeBaseOf } from '../../model/numbers/rational-time.ts';
import type { Analysis } from '../../model/plan.ts';
import { canSeek, type MediaProbe } from '../../model/source/media-probe.ts';
import type { Packets } from '../../model/source/packets.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';

/** Seconds from the start of the source, as a player counts them. */
export interface Span {
  start: number;
  end: number;
}

/** The frames of a span. */
export interface Kept {
  /** First tick to keep (stream timebase), between two frames … */
  from: number;
  /** … and the tick to stop at, exclusive, between two frames. Null: to the end. */
  to: number | null;
  /** Timestamp of the first frame in seconds; null if there is no frame. */
  first: number | null;
  /** Number of frames; null if it is unknown without reading the source. */
  frames: number | null;
  /** The first frame began before the span; it is shown from the start of the span. */
  pinned: boolean;
  /** Variable frame rate, or a rate so low that every frame is a long frame. */
  uneven: boolean;
}

const TINY = 1e-6;

/** Whether packets must be listed to know the frames of a span. */
export function needsPackets(video: VideoStream): boolean {
  return video.pace !== 'constant';
}

/** Lists all packets of a source. */
export const allPackets = (source = 0): Analysis => ({ kind: 'packets', source, intervals: [] });

/** The interval of packets that determines the frames of a span. */
export function packetsAround(probe: MediaProbe, video: VideoStream, span: Span): Interval {
  const margin = Math.max(1, 8 * video.frameDuration);
  const from = probe.origin + span.start - margin;
  const to = !probe.still && span.end >= probe.duration ? null : probe.origin + span.end + margin;
  return [from <= 0 || !canSeek(probe) ? null : from, to];
}

/** Longest duration of an ordinary frame in seconds. A cut inside a longer one (a long frame) shows that frame. */
export const HELD = 0.1;

/** Whether frames may be long, so nothing can be counted in frames. */
export const hasLongFrames = ({
  pace,
  frameDuration,
}: Pick<VideoStream, 'pace' | 'frameDuration'>): boolean => pace === 'variable' || frameDuration > HELD;

/** Largest rounding error of evenly spaced frame times in containers, in seconds. */
const ROUNDED = 0.0025;

/**
 * Frames with start − ½f ≤ pts < end − ½f, where f is the frame duration or, if shorter, the gap to the next frame;
 * plus the preceding frame if it is still on screen at the start.
 * @param continues Whether the output already shows the frame that is on screen at the start.
 */
export function keptFrames(
  probe: MediaProbe,
  video: VideoStream,
  span: Span,
  packets?: Packets,
  continues = false,
): Kept {
  const { frameDuration } = video;
  const [start, end] = [probe.origin + span.start, probe.origin + span.end];
  const { times, until } = timesIn(probe, video, span, packets);
  const { low, high, pinned } = framesBetween(times, { start, end }, until, continues);
  const base = timeBaseOf(video.timeBase);
  const edge = (index: number) => {
    const [here, before] = [times.at(index), times.at(index - 1)];
    if (index >= times.count) return times.count === 0 ? start : before + frameDuration / 2;
    return index === 0 ? here - frameDuration / 2 : (here + before) / 2;
  };
  const last = high < times.count ? edge(high) : times.uneven && end < until ? end : null;
  return {
    from: ticksOf(edge(low), base, 'up'),
    to: last === null ? null : ticksOf(last, base, 'up'),
    first: high > low ? times.at(low) : null,
    frames: high - low,
    pinned,
    uneven: times.uneven,
  };
}

/** When the frames around a span are shown, in seconds of the file, and when the last frame of the video ends. */
export function timesIn(
  probe: MediaProbe,
  video: VideoStream,
  span: Span,
  packets?: Packets,
): { times: Times; until: number } {
  const { frameDuration, startTime, frames } = video;
  const zero = startTime;
  const until = startTime + video.duration;
  const [start, end] = [probe.origin + span.start, probe.origin + span.end];
  if (packets) return { times: timesOf(packets, frameDuration, { start, end }, until), until };
  const count = frames ?? Number.POSITIVE_INFINITY;
  const at = (index: number) => zero + index * frameDuration;
  return { times: { at, count, step: frameDuration, uneven: frameDuration > HELD }, until };
}

/**
 * The point at which to cut both picture and sound for a requested time: the start of the nearest frame. Inside a long
 * frame, before the first frame and after the last one it is the requested time itself.
 * @param time In seconds of the file. @param until When the last frame ends.
 */
export function edgeNear(times: Times, time: number, until: number): number {
  const { at, count } = times;
  const index = firstBehind(times, time, until);
  if (index === count) {
    return Math.abs(until - time) <= halfOf(times, count - 1) + ROUNDED ? until : time;
  }
  return Math.abs(at(index) - time) <= nearTo(times, index) ? at(index) : time;
}

/** How far from the start of a frame a time still means that start. */
const nearTo = (times: Times, index: number): number =>
  index === 0
    ? Math.min(times.step, HELD)
    : Math.min(halfOf(times, index - 1), halfOf(times, index)) + ROUNDED;

/** Whether a span directly follows another in the source. */
export const goesOn = (before: Span | undefined, { start }: Span) => before?.end === start;

/** Frame times in seconds, ascending by index. */
export interface Times {
  at: (index: number) => number;
  count: number;
  /** Average frame duration in seconds. */
  step: number;
  uneven: boolean;
}

function timesOf({ shown: times }: Packets, step: number, span: Span, until: number): Times {
  const uneven = step > HELD || areUneven(timesAround(times, step, span)) || isHeldAt(times, span.end, until);
  return { at: (index) => times[index] ?? 0, count: times.length, step, uneven };
}

/** The times of a span: reordered frames are missing at the start and end of a list, and between spans that were listed. */
function timesAround(times: Float64Array, step: number, { start, end }: Span): Float64Array {
  const from = firstIndex(times.length, (index) => (times[index] ?? 0) > start - 2 * step);
  const to = firstAtLeast(times, end + 2 * step);
  return times.subarray(from, to);
}

/** Whether the frame on screen at a time is a long frame. @param until When the last frame ends. */
function isHeldAt(times: Float64Array, time: number, until: number): boolean {
  const next = firstAtLeast(times, time);
  const before = times[next - 1];
  return before !== undefined && (times[next] ?? until) - before > HELD;
}

/**
 * Indices of the first frame of a span and of the first one after it; see `Kept`. @param until When the last frame
 * ends.
 */
export function framesBetween(
  times: Times,
  { start, end }: Span,
  until: number,
  continues = false,
): { low: number; high: number; pinned: boolean } {
  const { at, count, uneven } = times;
  const [first, high] = [firstFrom(times, start), firstBehind(times, end, until)];
  const shown =
    first < count
      ? at(first) - start > halfOf(times, first - 1) + ROUNDED
      : uneven || start < Math.max(until, at(count - 1) + times.step);
  const held = first > 0 && shown && !continues;
  const low = held ? first - 1 : first;
  // A frame that began earlier than that is a long one, too, although it is the nearest.
  const began = !continues && first < count && start - at(first) > nearTo(times, first);
  return { low, high, pinned: (held || began) && high > low };
}

/**
 * Half the distance to the next frame, but at most half of an ordinary frame: up to there a frame is the nearest one to
 * a time.
 */
function halfOf({ at, count, step, uneven }: Times, index: number): number {
  const next = index + 1 < count ? at(index + 1) - at(index) : null;
  const before = index > 0 ? at(index) - at(index - 1) : null;
  const gap = uneven ? Math.min(next ?? step, before ?? step, step) : (next ?? before ?? step);
  return Math.min(gap, HELD) / 2;
}

/** Index of the first frame with start − ½f ≤ pts. */
function firstFrom(times: Times, time: number): number {
  const { at, count, step } = times;
  if (count === 0) return 0;
  const most = Number.isFinite(count) ? count : Math.ceil((time - at(0)) / Math.min(step, HELD)) + 1;
  return firstIndex(Math.max(0, most), (index) => at(index) >= time - halfOf(times, index) - TINY);
}

/** Index of the first frame after a span. */
function firstBehind(times: Times, end: number, until: number): number {
  const index = firstFrom(times, end);
  return goesToEnd(times, index, end, until) ? times.count : index;
}

/**
 * Whether a span holds the last frame though this is not its nearest one: the end of the video may leave no time for its last frame, or
 * less than half of it. @param index First frame after the span by distance.
 */
export const goesToEnd = ({ at, count }: Times, index: number, end: number, until: number): boolean =>
  index === count - 1 && end >= until - TINY && at(index) <= end + TINY;

/** Where to start reading for the frames and the sound of a span. */
export function seekFor(probe: MediaProbe, video: VideoStream, span: Span, { from }: Pick<Kept, 'from'>) {
  return seekBefore(probe, Math.min(secondsOf(from, timeBaseOf(video.timeBase)), probe.origin + span.start));
}

/**
 * Where to start reading for everything from `time` on: early enough for a keyframe whose decoding time is earlier to
 * be shown earlier too, and for audio decoders to settle.
 */
export function seekBefore(probe: MediaProbe, time: number): number | null {
  if (!canSeek(probe)) return null;
  const lead = Math.max(1, 8 * (probe.video?.frameDuration ?? 0));
  return time - probe.origin > lead ? time - lead : null;
}

/** Whether these packets have a variable frame rate. They are all packets of the source. */
export const isVariable = ({ shown }: Packets) => areUneven(shown);

/** Whether the frame rate is variable in a span. @param span In seconds from the start of the source. */
export function isVariableIn({ shown }: Packets, { origin }: MediaProbe, { start, end }: Span, step: number) {
  return areUneven(timesAround(shown, step, { start: origin + start, end: origin + end }));
}

function areUneven(times: Float64Array): boolean {
  if (times.length < 3) return false;
  let [shortest, longest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 1; index < times.length; index++) {
    const gap = (times[index] ?? 0) - (times[index - 1] ?? 0);
    shortest = Math.min(shortest, gap);
    longest = Math.max(longest, gap);
  }
  return longest - shortest > 0.0025;
}
