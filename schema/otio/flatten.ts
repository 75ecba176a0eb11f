import type { Reading } from './reading.ts';
import { type Item, secondsOf, type Time, type Track, type TransitionItem } from './timeline.ts';
import { add, between, itemsIn, type PlacedItems, placedIn, SLACK } from './trim.ts';

/** In seconds: less than a frame lasts. */
const TINY = 1e-3;

/**
 * One track of pictures that shows what several show together, as `flatten_stack` of OpenTimelineIO: an upper track covers those
 * below it, and its gaps and its end leave them visible.
 * @param tracks The lowest first.
 */
export function flattened(reading: Reading, tracks: readonly Track[]): Track | null {
  return tracks.reduce<Track | null>((below, track) => (below ? over(reading, track, below) : track), null);
}

/** A lower track under an upper one. */
interface Below {
  track: Track;
  placed: PlacedItems;
}

function over(reading: Reading, upper: Track, lower: Track): Track {
  const rate = rateOf(upper.items);
  const [above, below] = [placedIn(upper.items, rate), placedIn(lower.items, rate)];
  if (!above || !below) {
    const { path } = above ? lower : upper;
    const message = 'needs clips with a `source_range`, because another video track lies over or under it.';
    reading.refuse(path, message);
    return lower;
  }
  const under: Below = { track: lower, placed: below };
  const rest = add(below.end, above.end, -1);
  const ending = secondsOf(rest) > SLACK ? [{ kind: 'gap' as const, path: upper.path, duration: rest }] : [];
  const { items } = placedIn(joinedGaps([...upper.items, ...ending]), rate) ?? above;
  const shown = items.flatMap(({ item, at }, index) => {
    if (item.kind === 'gap') return seen(reading, under, at, item.duration, index === items.length - 1);
    if (item.kind === 'clip') return [{ ...item, over: item.over || isOver(under, at, item.duration) }];
    const [left, right] = [index - 1, index + 1].map((next) => items[next]?.item.kind !== 'clip');
    if (left || right) checkBlend(reading, item, at, under, left ?? false, right ?? false);
    return [item];
  });
  return { path: lower.path, items: shown };
}

/** Gaps that follow one another as one, for what is seen through them to have no joint. */
function joinedGaps(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (item.kind !== 'gap' || last?.kind !== 'gap') joined.push(item);
    else joined[joined.length - 1] = { ...last, duration: add(last.duration, item.duration) };
  }
  return joined;
}

/** The rate of the first item with a length. */
function rateOf(items: readonly Item[]): number {
  for (const item of items) if (item.kind !== 'transition' && item.duration) return item.duration.rate;
  return 1;
}

/** @param isLast Whether the upper track ends with this gap, and does not cover what a fade at the end of the lower one goes to. */
function seen(
  reading: Reading,
  { track, placed }: Below,
  start: Time,
  duration: Time,
  isLast: boolean,
): Item[] {
  const onCut = (item: TransitionItem) =>
    reading.refuse(item.path, 'is partly covered by the video track above it.');
  const items = between(placed, { start, duration }, track.path, true, onCut);
  const last = items.at(-1);
  if (last?.kind === 'transition' && !isLast) onCut(last);
  return items;
}

/** @param duration Null if it is unknown, which has been refused. */
const isOver = ({ placed }: Below, at: Time, duration: Time | null): boolean =>
  duration !== null && clipsIn(placed, secondsOf(at), secondsOf(add(at, duration))).length > 0;

/** The clips that a track shows in a span, with their times in it. */
const clipsIn = (placed: PlacedItems, from: number, to: number) =>
  itemsIn(placed, from, to).flatMap(({ item, at }) => {
    if (item.kind !== 'clip' || !item.duration) return [];
    const [start, end] = [secondsOf(at), secondsOf(add(at, item.duration))];
    return start < to - SLACK && end > from + SLACK ? [{ start, end }] : [];
  });

/** A transition from or to what a track shows below needs one clip there, on both sides of the joint. */
function checkBlend(
  reading: Reading,
  item: TransitionItem,
  joint: Time,
  { placed }: Below,
  left: boolean,
  right: boolean,
) {
  const at = secondsOf(joint);
  const [from, to] = [at - secondsOf(item.inOffset), at + secondsOf(item.outOffset)];
  const under = clipsIn(placed, from, to);
  const lasts = ({ start, end }: { start: number; end: number }) =>
    start <= (left ? Math.min(from, at - TINY) : from) + SLACK &&
    end >= (right ? Math.max(to, at + TINY) : to) - SLACK;
  if (under.length === 0 || under.some(lasts)) return;
  reading.refuse(
    item.path,
    'blends with the video track below, where another clip begins or ends meanwhile.',
  );
}
