import type { Facts } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Packets } from '../../model/source/packets.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import {
  edgeNear,
  framesBetween,
  goesToEnd,
  HELD,
  isVariable,
  needsPackets,
  type Span,
  type Times,
} from './frame-selection.ts';

/** When the frames of a video begin, in seconds from the start of the source. */
export type FrameGrid = EvenGrid | UnevenGrid;

interface EvenGrid {
  kind: 'even';
  zero: number;
  step: number;
  count: number;
  /** When the last frame ends; absent if it lasts as long as the others. */
  until?: number;
  /** As rounded by the container, if packets have been listed. */
  times?: Float64Array;
}

/** A variable frame rate, or a rate so low that every frame is a long frame. */
interface UnevenGrid {
  kind: 'uneven';
  times: Float64Array;
  /** Average distance of frames. */
  step: number;
  /** Median frame duration, at most `HELD`. */
  ordinary: number;
  /** When the last frame ends. */
  until: number;
}

export const unevenGrid = (times: Float64Array, step: number, until: number): UnevenGrid => {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const ordinary = Math.min(HELD, gaps.sort()[gaps.length >> 1] ?? step);
  return { kind: 'uneven', times, step, ordinary, until };
};

export function frameGrid(probe: MediaProbe, video: VideoStream, packets: Packets | undefined): FrameGrid {
  const step = video.frameDuration;
  const zero = video.startTime - probe.origin;
  const seconds = video.duration;
  const until = zero + seconds;
  if (!packets) {
    const count = video.frames ?? Math.round(seconds / step);
    if (step <= HELD) return { kind: 'even', zero, step, count, until };
    const times = Float64Array.from({ length: count }, (_, index) => zero + index * step);
    return unevenGrid(times, step, until);
  }
  const times = packets.shown.map((time) => time - probe.origin);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const longest = times.length > 0 ? Math.max(step, until - last) : step;
  if (longest > HELD || isVariable(packets)) return unevenGrid(times, step, until);
  return {
    kind: 'even',
    zero: first,
    step: times.length > 1 ? (last - first) / (times.length - 1) : step,
    count: times.length,
    until,
    times,
  };
}

/** The frames of the only source; null for sound alone. */
export const gridOf = (probe: MediaProbe, video: VideoStream | null, { packets }: Facts): FrameGrid | null =>
  video && frameGrid(probe, video, needsPackets(video) ? packets : undefined);

/** Moves a requested cut to the nearest point where picture and sound can be cut together; see `edgeNear`. */
export function snapped(grid: FrameGrid, time: number): number {
  const until = grid.kind === 'uneven' ? grid.until : grid.zero + grid.count * grid.step;
  return edgeNear(timesOf(grid), time, until);
}

function timesOf(grid: FrameGrid): Times {
  const { step } = grid;
  const at = (index: number) => frameTime(grid, index);
  if (grid.kind === 'even') return { at, count: grid.count, step, uneven: false };
  return { at, count: grid.times.length, step, uneven: true };
}

/**
 * Indices of the first frame shown in a span and of the first one after it; see `Kept` for `pinned`.
 * @param next First frame that the output has not shown yet: a long frame at the start of the span may already be on
 * screen.
 */
export function framesIn(
  grid: FrameGrid,
  span: Span,
  next: number,
): { low: number; high: number; pinned: boolean } {
  if (grid.kind === 'uneven') {
    const { until } = grid;
    const all = timesOf(grid);
    const found = framesBetween(all, span, until);
    return found.low + 1 === next ? framesBetween(all, span, until, true) : found;
  }
  const from = (time: number) =>
    Math.min(grid.count, Math.max(0, Math.ceil((time - grid.zero) / grid.step - 0.5 - 1e-6)));
  const { until = Number.POSITIVE_INFINITY } = grid;
  const high = goesToEnd(timesOf(grid), from(span.end), span.end, until) ? grid.count : from(span.end);
  return { low: from(span.start), high, pinned: false };
}

/** Usual duration of a frame. */
export const ordinaryStep = (grid: FrameGrid) => (grid.kind === 'even' ? grid.step : grid.ordinary);

export function frameTime(grid: FrameGrid, index: number): number {
  if (grid.kind === 'even') return grid.times?.[index] ?? grid.zero + index * grid.step;
  const [last = 0] = [grid.times.at(-1)];
  return grid.times[index] ?? last + grid.step;
}

/** A time between frame `index` and the previous one. */
export function edgeBefore(grid: FrameGrid, index: number): number {
  if (grid.kind === 'even' || index <= 0) return frameTime(grid, index) - grid.step / 2;
  return (frameTime(grid, index - 1) + frameTime(grid, index)) / 2;
}
