import {
  type ClipItem,
  type GapItem,
  type Item,
  pathText,
  secondsOf,
  type TransitionItem,
} from '../../../schema/otio/timeline.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { FrameRate } from '../plan/frame-rate.ts';
import { shown } from '../plan/require-streams.ts';
import type { Gap, Joint, SoundClip, Timeline } from '../plan/timeline/timeline.ts';
import { type MediaClock, spanOf } from './media-clock.ts';

/** A track's items in units of its rate. */
interface Laid {
  item: ClipItem | GapItem | null;
  at: number;
  frames: number;
  /** Units before its own first one, for the transition before it. */
  lead: number;
  /** Units after its own last one. */
  rest: number;
}

type ClockOf = (item: ClipItem) => MediaClock;

const isTransition = (item: Item | undefined): item is TransitionItem => item?.kind === 'transition';

/** Seconds that an item takes in its track. */
function lengthOf(item: Item, clockOf: ClockOf): number {
  if (item.kind === 'transition') return 0;
  if (item.duration) return secondsOf(item.duration);
  if (item.kind === 'gap') return 0;
  const { length } = clockOf(item);
  return item.rate === 0 ? length : length / item.rate;
}

/** Seconds that the items of a track take. */
export const secondsIn = (items: readonly Item[], clockOf: ClockOf) =>
  items.reduce((sum, item) => sum + lengthOf(item, clockOf), 0);

/** An item for each side of a transition at the edge of a track, where it fades from or to nothing. */
function withEdges(items: readonly Item[]): (Item | null)[] {
  const [first, last] = [items[0], items.at(-1)];
  return [...(isTransition(first) ? [null] : []), ...items, ...(isTransition(last) ? [null] : [])];
}

function layOut(items: readonly Item[], fps: number, clockOf: ClockOf): { laid: Laid[]; joints: Joint[] } {
  const unit = (seconds: number) => Math.round(seconds * fps + 1e-6);
  const laid: Laid[] = [];
  const joints: Joint[] = [];
  const all = withEdges(items);
  let begins = 0;
  for (const [index, item] of all.entries()) {
    if (isTransition(item ?? undefined)) continue;
    const [before, after] = [all[index - 1] ?? undefined, all[index + 1] ?? undefined];
    const ends = begins + (item ? lengthOf(item, clockOf) : 0);
    const at = isTransition(before) ? Math.max(0, unit(begins - secondsOf(before.inOffset))) : unit(begins);
    const until = isTransition(after) ? unit(ends + secondsOf(after.outOffset)) : unit(ends);
    if (laid.length > 0) {
      const previous = laid.at(-1);
      const frames = Math.max(0, (previous?.at ?? 0) + (previous?.frames ?? 0) - at);
      const type = isTransition(before) && frames > 0 ? before.type : 'none';
      joints.push({ index: joints.length, type, frames, at });
    }
    const own = item && !isTransition(item) ? item : null;
    laid.push({ item: own, at, frames: until - at, lead: unit(begins) - at, rest: until - unit(ends) });
    begins = ends;
  }
  return { laid, joints };
}

/** A clip as the track's kind has it. `zero` is the timestamp of its first unit, transition included. */
type ClipAt<C extends SoundClip> = (item: ClipItem, clip: SoundClip) => C;

interface Tracked<C extends SoundClip> {
  items: readonly Item[];
  rate: FrameRate;
  clockOf: ClockOf;
  /** Second of the source for a clip's start. */
  startOf: (clock: MediaClock, start: number) => number;
  clipAt: ClipAt<C>;
  /** Units that the track lasts at least. */
  frames: number;
}

/** Places the items of a track and its transitions. Throws `time_out_of_range`, `clip_too_short`. */
export function timelineOf<C extends SoundClip>(track: Tracked<C>): Timeline<C> {
  const { rate, clockOf } = track;
  const { laid, joints } = layOut(track.items, rate.fps, clockOf);
  const items = laid.map((one, index): C | Gap => {
    const { item, at, frames, lead } = one;
    if (item?.kind !== 'clip') return { source: null, at, frames };
    const clock = clockOf(item);
    const shared = (joints[index - 1]?.frames ?? 0) + (joints[index]?.frames ?? 0);
    if (shared > frames) {
      const detail = `${pathText(item.path)} is shorter than its transitions: its media is ${shown(clock.length)} s long.`;
      throw new TaskFailure('clip_too_short', detail, { sourceIndex: clock.source });
    }
    const span = spanOf(clock, item);
    const seconds = (units: number) => (units / rate.fps) * item.rate;
    const start = track.startOf(clock, span.start) - seconds(lead);
    checkHandles(one, clock, item, { start, end: start + seconds(frames) }, span, rate.fps);
    const { source, probe } = clock;
    const clip = { source, probe, zero: probe.origin + start, rate: item.rate, frames, gainDb: 0, at };
    return track.clipAt(item, clip);
  });
  const last = laid.at(-1);
  const end = last ? last.at + last.frames : 0;
  if (end < track.frames) {
    if (items.length > 0) joints.push({ index: joints.length, type: 'none', frames: 0, at: end });
    items.push({ source: null, at: end, frames: track.frames - end });
  }
  return { rate, items, joints, frames: Math.max(end, track.frames) };
}

/** A transition shows its clips for longer than their ranges. */
function checkHandles(
  { lead, rest }: Laid,
  { length, source, grid }: MediaClock,
  { path }: ClipItem,
  shows: { start: number; end: number },
  span: { start: number; end: number },
  fps: number,
): void {
  const frame = Math.max(grid?.step ?? 0, 1 / fps) * 1.01;
  const early = lead > 0 && shows.start < -frame;
  const late = rest > 0 && shows.end > length + frame;
  if (!early && !late) return;
  const side = early
    ? `${shown(span.start - shows.start)} s before its range, but there are only ${shown(span.start)} s`
    : `${shown(shows.end - span.end)} s after its range, but there are only ${shown(length - span.end)} s`;
  const detail = `${pathText(path)} needs ${side} of its media for the transition. Use a shorter transition, or ${early ? 'start the clip later' : 'end the clip earlier'}.`;
  throw new TaskFailure('time_out_of_range', detail, { sourceIndex: source });
}
