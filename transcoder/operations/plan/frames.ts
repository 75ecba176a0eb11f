import { firstAtLeast, firstIndex } from '../../model/numbers/first-index.ts';
import type { Facts } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Packets } from '../../model/source/packets.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';

/** Seconds from the start of the source, as a player counts them. */
export interface Span {
  start: number;
  end: number;
}

/** The frames of a video in the order in which they are shown. Times are in seconds from the start of the source. */
export interface Frames {
  count: number;
  /** When a frame begins; beyond the last one, when it would begin. */
  at: (index: number) => number;
  /** Average duration of a frame. */
  step: number;
  /** Usual duration of a frame: that of a long frame is not. */
  ordinary: number;
  /** Whether the frame rate is variable, or so low that every frame is a long one: then nothing can be counted in frames. */
  uneven: boolean;
  /** When the last frame ends. */
  until: number;
}

/** Longest duration of an ordinary frame in seconds. A cut inside a longer one (a long frame) shows that frame. */
export const HELD = 0.1;

/** Whether a frame that is shown for this many seconds is a long one. */
export const isLong = (seconds: number): boolean => seconds > HELD;

/** Largest rounding error of evenly spaced frame times in containers, in seconds. */
export const ROUNDED = 0.0025;

const TINY = 1e-6;

/** Whether packets must be listed to know the frames of a video. */
export const needsPackets = ({ pace }: VideoStream): boolean => pace !== 'constant';

/** Whether frames may be long, so nothing can be counted in frames. */
export const hasLongFrames = ({
  pace,
  frameDuration,
}: Pick<VideoStream, 'pace' | 'frameDuration'>): boolean => pace === 'variable' || isLong(frameDuration);

/** Whether these packets have a variable frame rate. They are all packets of the source. */
export const isVariable = ({ shown }: Packets): boolean => areUneven(shown);

/** Whether the frame rate is variable in a span. */
export const isVariableIn = (packets: Packets, { origin }: MediaProbe, span: Span, step: number): boolean =>
  areUneven(timesAround(packets.shown, origin, span, step));

/** The frames of the only source; null for sound alone. */
export const framesOfOnly = (
  probe: MediaProbe,
  video: VideoStream | null,
  { packets }: Facts,
): Frames | null => video && framesOf(probe, video, needsPackets(video) ? packets : undefined);

/**
 * The frames of a video, as its packets say or, without packets, its frame rate.
 * @param span What is asked about, as the packets may be those around it alone, and a variable frame rate elsewhere does not matter.
 * Absent to count all frames: the last one is then as long as the others, unless the end of the video cuts it short.
 * @param sourceUneven Whether the frame rate is known to be variable anyway.
 */
export function framesOf(
  probe: MediaProbe,
  video: VideoStream,
  packets: Packets | undefined,
  span?: Span,
  sourceUneven = false,
): Frames {
  const { origin } = probe;
  const { startTime, duration, frameDuration } = video;
  const stated = startTime - origin + duration;
  const endOf = (regular: number) => (span || stated < regular - ROUNDED ? stated : regular);
  if (!packets) {
    const [zero, step] = [startTime - origin, frameDuration];
    const count = video.frames ?? Math.round(duration / step);
    return pacedFrames({ zero, count, step, until: endOf(zero + count * step) });
  }
  const { shown } = packets;
  const around = span ? timesAround(shown, origin, span, frameDuration) : shown;
  const end = span ? origin + span.end : Number.POSITIVE_INFINITY;
  const uneven =
    sourceUneven || frameDuration > HELD || areUneven(around) || isHeldAt(shown, end, origin + stated);
  const [first = 0, last = 0] = [around[0], around.at(-1)];
  const measured = !uneven && around.length > 1;
  const step = measured ? (last - first) / (around.length - 1) : frameDuration;
  const count = shown.length;
  const at = (index: number) => (shown[index] ?? (shown.at(-1) ?? 0) + (index - count + 1) * step) - origin;
  return {
    ...{ count, at, step, uneven, until: uneven ? stated : endOf(at(count)) },
    ordinary: uneven ? usualGap(around, step) : step,
  };
}

/** Frames at a rate. */
export const pacedFrames = ({
  zero,
  count,
  step,
  until,
}: Pick<Frames, 'count' | 'step' | 'until'> & { zero: number }): Frames => ({
  ...{ count, step, until },
  at: (index) => zero + index * step,
  ordinary: Math.min(HELD, step),
  uneven: step > HELD,
});

/** Frames of a variable rate. */
export const unevenFrames = (
  times: Float64Array,
  { step, until }: Pick<Frames, 'step' | 'until'>,
): Frames => ({
  count: times.length,
  at: (index) => times[index] ?? (times.at(-1) ?? 0) + (index - times.length + 1) * step,
  ...{ step, until },
  ordinary: usualGap(times, step),
  uneven: true,
});

/** Median distance of frames, at most `HELD`. */
function usualGap(times: Float64Array, step: number): number {
  const gaps = times.subarray(1).map((time, index) => time - (times[index] ?? time));
  return Math.min(HELD, gaps.sort()[gaps.length >> 1] ?? step);
}

/** The times of a span: reordered frames are missing at the start and end of a list, and between spans that were listed. */
function timesAround(times: Float64Array, origin: number, { start, end }: Span, step: number): Float64Array {
  const from = firstIndex(times.length, (index) => (times[index] ?? 0) > origin + start - 2 * step);
  const to = firstAtLeast(times, origin + end + 2 * step);
  return times.subarray(from, to);
}

function areUneven(times: Float64Array): boolean {
  if (times.length < 3) return false;
  let [shortest, longest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 1; index < times.length; index++) {
    const gap = (times[index] ?? 0) - (times[index - 1] ?? 0);
    shortest = Math.min(shortest, gap);
    longest = Math.max(longest, gap);
  }
  return longest - shortest > ROUNDED;
}

/** Whether the frame on screen at a time is a long frame. @param until When the last frame ends. */
function isHeldAt(times: Float64Array, time: number, until: number): boolean {
  const next = firstAtLeast(times, time);
  const before = times[next - 1];
  return before !== undefined && (times[next] ?? until) - before > HELD;
}

/** A time between a frame and the previous one. */
export const edgeBefore = ({ at, step }: Frames, index: number): number =>
  index <= 0 ? at(index) - step / 2 : (at(index - 1) + at(index)) / 2;

/**
 * The point at which to cut both picture and sound for a requested time: the start of the nearest frame. Inside a long
 * frame, before the first frame and after the last one it is the requested time itself.
 */
export function snapped(frames: Frames, time: number): number {
  const { at, count, until } = frames;
  const index = firstBehind(frames, time);
  if (index === count) return Math.abs(until - time) <= halfOf(frames, count - 1) + ROUNDED ? until : time;
  return Math.abs(at(index) - time) <= nearTo(frames, index) ? at(index) : time;
}

/** The frames of a span. */
export interface FramesIn {
  /** Index of the first one … */
  low: number;
  /** … and of the first one after it. */
  high: number;
  /** The first frame began before the span; it is shown from the start of the span. */
  pinned: boolean;
}

/**
 * Frames with start − ½f ≤ pts < end − ½f, where f is the frame duration or, if shorter, the gap to the next frame;
 * plus the preceding frame if it is still on screen at the start.
 * @param continues Whether the output already shows the frame that is on screen at the start.
 */
export function framesIn(frames: Frames, { start, end }: Span, continues = false): FramesIn {
  const { at, count, step, uneven, until } = frames;
  const [first, high] = [firstFrom(frames, start), firstBehind(frames, end)];
  const shown =
    first < count
      ? at(first) - start > halfOf(frames, first - 1) + ROUNDED
      : uneven || start < Math.max(until, at(count - 1) + step) - TINY;
  const held = first > 0 && shown && !continues;
  const low = held ? first - 1 : first;
  // A frame that began earlier than that is a long one, too, although it is the nearest.
  const began = !continues && first < count && start - at(first) > nearTo(frames, first);
  return { low, high, pinned: (held || began) && high > low };
}

/** How far from the start of a frame a time still means that start. */
const nearTo = (frames: Frames, index: number): number =>
  index === 0
    ? Math.min(frames.step, HELD)
    : Math.min(halfOf(frames, index - 1), halfOf(frames, index)) + ROUNDED;

/**
 * Half the distance to the next frame, but at most half of an ordinary frame: up to there a frame is the nearest one to
 * a time.
 */
function halfOf({ at, count, step, uneven }: Frames, index: number): number {
  const next = index + 1 < count ? at(index + 1) - at(index) : null;
  const before = index > 0 ? at(index) - at(index - 1) : null;
  const gap = uneven ? Math.min(next ?? step, before ?? step, step) : (next ?? before ?? step);
  return Math.min(gap, HELD) / 2;
}

/** Index of the first frame with start − ½f ≤ pts. */
const firstFrom = (frames: Frames, time: number): number =>
  firstIndex(frames.count, (index) => frames.at(index) >= time - halfOf(frames, index) - TINY);

/**
 * Index of the first frame after a span. The end of the video may leave no time for its last frame, or less than half of it: a span that
 * goes on to the end holds that frame though it is not the nearest one.
 */
function firstBehind(frames: Frames, end: number): number {
  const { at, count, until } = frames;
  const index = firstFrom(frames, end);
  const goesToEnd = index === count - 1 && end >= until - TINY && at(index) <= end + TINY;
  return goesToEnd ? count : index;
}
