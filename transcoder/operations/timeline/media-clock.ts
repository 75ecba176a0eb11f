import { type ClipItem, pathText, SLOWEST_FRAMES, type Time } from '../../../schema/otio/timeline.ts';
import type { Facts } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { type Frames, type Span, snapped } from '../plan/frames.ts';
import { lengthOf, micros, shown } from '../plan/require-streams.ts';
import { sourceGrid } from './source-grid.ts';

/** How a document counts the time of a source. */
export interface MediaClock {
  source: number;
  probe: MediaProbe;
  /** Null for sound alone. */
  grid: Frames | null;
  /** Seconds. */
  length: number;
}

export function mediaClock(probe: MediaProbe, source: number, facts: Facts | null): MediaClock {
  const length = lengthOf(probe, source);
  const { video } = probe;
  const grid = video && sourceGrid(probe, video, source, facts);
  return { source, probe, grid, length };
}

/** Timestamp at which the last frame begins; undefined if that is not known. */
export function lastFrameOf({ grid, probe }: MediaClock): number | undefined {
  if (!grid || grid.count === 0) return undefined;
  const last = grid.at(grid.count - 1);
  // Of a variable frame rate, only the frames around clips may be listed.
  return grid.uneven && grid.until - last > 1.5 * grid.step ? undefined : probe.origin + last;
}

/** Frame rates that differ by less are one rate, as containers round times and editors round rates. */
const SAME_RATE = 0.0004;

export const isSameRate = (one: number, other: number) => Math.abs(one / other - 1) < SAME_RATE;

/** The span of a source that a clip plays, as the document has it. Throws `time_out_of_range`. */
export function spanOf(clock: MediaClock, item: ClipItem): Span {
  const { start, duration } = item;
  if (!start || !duration) return { start: 0, end: clock.length };
  const from = (item.mediaStart?.value ?? 0) / (item.mediaStart?.rate ?? 1);
  const passed = start.value - from * start.rate;
  const lasts = (duration.value / duration.rate) * start.rate * item.rate;
  const span = { start: secondOf(clock, passed, start), end: secondOf(clock, passed + lasts, start) };
  const frame = Math.max(clock.grid?.step ?? 0, 1 / Math.max(start.rate, SLOWEST_FRAMES));
  const wrong = (what: string) => {
    const offset = from === 0 ? '' : `, counted from the start of \`available_range\``;
    const detail = `${pathText(item.path)} ${what} of its media${offset}, which is ${shown(clock.length)} s long.`;
    throw new TaskFailure('time_out_of_range', detail, { sourceIndex: clock.source });
  };
  if (span.start < -frame) return wrong(`begins ${shown(-span.start)} s before the first frame`);
  if (span.start >= clock.length) return wrong(`begins at ${shown(span.start)} s`);
  if (span.end > clock.length + frame) return wrong(`ends at ${shown(span.end)} s`);
  return { start: Math.max(0, span.start), end: Math.min(clock.length, span.end) };
}

/** Rounding of a converted count, in frames. */
const TINY = 1e-6;

/** Frames of the media if they are counted at its rate, otherwise a share of seconds. */
function secondOf({ grid }: MediaClock, passed: number, { rate }: Time): number {
  if (!grid || grid.uneven || !isSameRate(rate, 1 / grid.step)) return passed / rate;
  // The first frame may be a little later than the sound, which then begins with the source.
  if (Math.abs(passed) < TINY && grid.at(0) < grid.step) return 0;
  return grid.at(0) + passed * grid.step;
}

/** The time at which both picture and sound can be cut, nearest to a time: that of a frame. */
export function edgeOf({ grid, length }: MediaClock, time: number): number {
  if (!grid || time <= 0) return Math.max(0, time);
  const atEnd = Math.abs(length - time) < grid.step * (1 - 1e-3) && time > grid.until - grid.step / 2;
  if (atEnd) return length;
  return micros(snapped(grid, time));
}

/** The frame nearest to a time, as the second at which it begins. */
export function frameAt({ grid }: MediaClock, time: number): number {
  if (!grid || grid.uneven) return time;
  return grid.at(Math.max(0, Math.round((time - grid.at(0)) / grid.step)));
}
