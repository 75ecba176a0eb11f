import type { Packet } from '../media/plan.ts';
import type { MediaProbe, VideoStream } from '../media/probe.ts';
import { isVariable } from './timeline.ts';

/** Where the frames of a video begin, in seconds from the start of the source. */
export type FrameGrid =
  | { kind: 'even'; zero: number; step: number; count: number }
  | { kind: 'uneven'; times: readonly number[]; step: number };

export function frameGrid(
  probe: MediaProbe,
  video: VideoStream,
  packets: readonly Packet[] | undefined,
): FrameGrid {
  const step = video.frameDuration;
  if (!packets) {
    const zero = (video.startTime ?? probe.origin) - probe.origin;
    const count = video.frames ?? Math.round((video.duration ?? probe.duration ?? 0) / step);
    return { kind: 'even', zero, step, count };
  }
  const times = packets.map(({ pts }) => pts - probe.origin).sort((a, b) => a - b);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  if (isVariable(packets)) return { kind: 'uneven', times, step };
  return {
    kind: 'even',
    zero: first,
    step: times.length > 1 ? (last - first) / (times.length - 1) : step,
    count: times.length,
  };
}

/** The beginning of a frame that is nearest to `time`; past the last frame the grid goes on. */
export function snapped(grid: FrameGrid, time: number): number {
  if (grid.kind === 'even') return grid.zero + Math.round((time - grid.zero) / grid.step) * grid.step;
  const after = firstFrom(grid, time);
  const [before, next] = [grid.times[after - 1], grid.times[after]];
  if (next === undefined) return time;
  if (before === undefined) return next;
  return time - before < next - time ? before : next;
}

/** Index of the first frame that begins at `time` or later, half a frame of grace given. */
export function firstFrom(grid: FrameGrid, time: number): number {
  if (grid.kind === 'even') {
    return Math.min(grid.count, Math.max(0, Math.ceil((time - grid.zero) / grid.step - 0.5 - 1e-6)));
  }
  let [low, high] = [0, grid.times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((grid.times[middle] ?? 0) >= time - 1e-6) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** When frame `index` begins. */
export function frameTime(grid: FrameGrid, index: number): number {
  if (grid.kind === 'even') return grid.zero + index * grid.step;
  const [last = 0] = [grid.times.at(-1)];
  return grid.times[index] ?? last + grid.step;
}

/** A moment between frame `index` and the one before it. */
export function edgeBefore(grid: FrameGrid, index: number): number {
  if (grid.kind === 'even' || index <= 0) return frameTime(grid, index) - grid.step / 2;
  return (frameTime(grid, index - 1) + frameTime(grid, index)) / 2;
}
