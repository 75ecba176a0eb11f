import { type Node, own, type Reading } from './reading.ts';
import {
  type ClipItem,
  type GapItem,
  type Item,
  type Path,
  secondsOf,
  type Time,
  type TransitionItem,
} from './timeline.ts';

/** Room for the rounding of times at different rates, in seconds. */
export const SLACK = 1e-6;

type Timed = (ClipItem & { duration: Time }) | GapItem;

const isTimed = (item: Item): item is Timed => item.kind !== 'transition' && item.duration !== null;

/** The rate stays that of `time`: exact for times of one rate. */
export const add = (time: Time, { value, rate }: Time, factor = 1): Time => ({
  rate: time.rate,
  value: time.value + (factor * value * time.rate) / rate,
});

/** An item with its place in the track. */
interface Placed {
  item: Item;
  /** Of a transition, the joint. */
  at: Time;
  /** In its track. */
  index: number;
}

/**
 * Leaves what the `source_range` of a track or stack shows of it: the first and last item are shortened, what lies outside is
 * removed, and a range that begins before the items or ends after them has gaps there.
 * @param pad Whether the range is also the length of what is left: so it is of an item in a track, but not of a whole track.
 */
export function trimmed(
  reading: Reading,
  node: Node,
  path: Path,
  items: readonly Item[],
  pad: boolean,
): Item[] {
  if ((own(node, 'source_range') ?? null) === null) return [...items];
  const at = [...path, 'source_range'];
  const range = reading.range(node, 'source_range', path);
  if (!range) return [...items];
  const { start, duration } = range;
  const placed = placedIn(items, start.rate);
  if (!placed) {
    reading.refuse(at, 'cuts clips whose length the document does not say. Give each clip a `source_range`.');
    return [...items];
  }
  const [from, to] = [secondsOf(start), secondsOf(add(start, duration))];
  if (isAll(from, to, secondsOf(placed.end))) return [...items];
  const cut = 'is cut by the `source_range` of the track or stack around it.';
  return between(placed, range, path, pad, (item) => reading.refuse(item.path, cut));
}

/** What a range of placed items shows. */
export function between(
  placed: PlacedItems,
  { start, duration }: { start: Time; duration: Time },
  path: Path,
  pad: boolean,
  onCut: (item: TransitionItem) => void,
): Item[] {
  const { items, end } = placed;
  const last = add(start, duration);
  const [from, to, total] = [secondsOf(start), secondsOf(last), secondsOf(end)];
  const head: Time = { value: -start.value, rate: start.rate };
  return [
    ...(from < -SLACK ? [gap(path, secondsOf(head) < to - from ? head : duration)] : []),
    ...itemsIn(placed, from, to).flatMap((each) => {
      const { item, at, index } = each;
      const left = within(each, start, last, onCut);
      if (item.kind !== 'transition' || left.length === 0) return left;
      // At the edge of the range, what is beyond the joint is lost. Where the range is an item of a track, another one takes its place.
      const loses = (edge: number, beyond: Placed | undefined) =>
        Math.abs(secondsOf(at) - edge) <= SLACK && beyond && (pad || beyond.item.kind === 'clip');
      if (!loses(from, items[index - 1]) && !loses(to, items[index + 1])) return left;
      onCut(item);
      return [];
    }),
    ...(pad && to > total + SLACK ? [gap(path, from > total ? duration : add(last, end, -1))] : []),
  ];
}

const gap = (path: Path, duration: Time): GapItem => ({ kind: 'gap', path, duration });

/** Some editors write the time code of a track as the start of its range: it is all of the track if it is as long. */
const isAll = (from: number, to: number, total: number) =>
  Math.abs(to - from - total) <= SLACK && (Math.abs(from) <= SLACK || from >= total || to <= 0);

export interface PlacedItems {
  items: readonly Placed[];
  end: Time;
  /** By item, the second at which all up to it have ended. */
  ended: Float64Array;
  /** By item, the second at which the first of those from it on begins. */
  begun: Float64Array;
}

/**
 * @param rate Of the places.
 * @returns Null if the length of an item is unknown.
 */
export function placedIn(items: readonly Item[], rate: number): PlacedItems | null {
  let end: Time = { value: 0, rate };
  const placed: Placed[] = [];
  for (const item of items) {
    placed.push({ item, at: end, index: placed.length });
    if (item.kind === 'transition') continue;
    if (!item.duration) return null;
    end = add(end, item.duration);
  }
  return { items: placed, end, ...boundsOf(placed) };
}

/** Transitions reach into the items around them. */
function boundsOf(placed: readonly Placed[]): Pick<PlacedItems, 'ended' | 'begun'> {
  const [ended, begun] = [new Float64Array(placed.length), new Float64Array(placed.length)];
  let [latest, earliest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [index, { item, at }] of placed.entries()) {
    const length = item.kind === 'transition' ? item.outOffset : item.duration;
    latest = Math.max(latest, secondsOf(length ? add(at, length) : at));
    ended[index] = latest;
  }
  for (const { item, at, index } of placed.toReversed()) {
    earliest = Math.min(earliest, secondsOf(item.kind === 'transition' ? add(at, item.inOffset, -1) : at));
    begun[index] = earliest;
  }
  return { ended, begun };
}

/** The items that may be in a span of seconds, and perhaps some others. */
export function itemsIn({ items, ended, begun }: PlacedItems, from: number, to: number): readonly Placed[] {
  const first = ended.findIndex((second) => second > from - SLACK);
  const behind = begun.findIndex((second) => second > to + SLACK);
  return first < 0 ? [] : items.slice(first, behind < 0 ? items.length : behind);
}

function within(
  { item, at }: Pick<Placed, 'item' | 'at'>,
  from: Time,
  to: Time,
  onCut: (item: TransitionItem) => void,
): Item[] {
  const [start, end] = [secondsOf(from), secondsOf(to)];
  if (!isTimed(item)) {
    if (item.kind !== 'transition') return [];
    const first = secondsOf(add(at, item.inOffset, -1));
    const last = secondsOf(add(at, item.outOffset));
    if (last <= start + SLACK || first >= end - SLACK) return [];
    if (first >= start - SLACK && last <= end + SLACK) return [item];
    onCut(item);
    return [];
  }
  const before = add(from, at, -1);
  const after = add(add(at, item.duration), to, -1);
  const head = secondsOf(before) > SLACK ? before : null;
  const tail = secondsOf(after) > SLACK ? after : null;
  let { duration } = item;
  if (head) duration = add(duration, head, -1);
  if (tail) duration = add(duration, tail, -1);
  if (secondsOf(duration) <= SLACK) return [];
  if (item.kind === 'gap' || !head) return [{ ...item, duration }];
  const first = item.start ?? item.mediaStart ?? { value: 0, rate: head.rate };
  return [{ ...item, duration, start: add(first, head, item.rate) }];
}
