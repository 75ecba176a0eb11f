import type { TimeMap } from '../../../../schema/task/task.ts';
import { firstIndex } from '../../../model/numbers/first-index.ts';
import type { TextCue } from '../../../model/plan.ts';

/** What is left of a cue that is shorter would only flash. Seconds. */
const SHORTEST = 0.04;
/** Parts of a cue that are closer than this were one cue. Seconds. */
const APART = 0.002;

/**
 * The cues of a source where they are in the output: each is shown while what it belongs to is, also backwards. Times are in seconds; `cues` count
 * from the start of the source.
 * @param room How many cues may be looked at in all parts, which becomes less: a cue that lasts throughout is in each of them.
 * @returns Null if there is not enough room.
 */
export function mappedCues(
  cues: readonly TextCue[],
  map: TimeMap,
  source = 0,
  room = { cues: Number.POSITIVE_INFINITY },
): TextCue[] | null {
  const within = cuesWithin(cues);
  const made: TextCue[] = [];
  for (const clip of map) {
    if (clip.source !== source) continue;
    const {
      in: [from, to],
      out: [begin, end],
    } = clip;
    const rate = (end - begin) / (to - from);
    const placed = (time: number) => begin + (time - from) * rate;
    const [early, late] = [Math.min(from, to), Math.max(from, to)];
    const shown = within(early, late);
    room.cues -= shown.length;
    if (room.cues < 0) return null;
    for (const { start, end: stop, text } of shown) {
      const [first, last] = [Math.max(start, early), Math.min(stop, late)];
      if (last - first < SHORTEST) continue;
      const [one, other] = [placed(first), placed(last)];
      made.push({ start: Math.min(one, other), end: Math.max(one, other), text });
    }
  }
  made.sort((a, b) => a.start - b.start);
  const joined: TextCue[] = [];
  const latest = new Map<string, TextCue>();
  for (const cue of made) {
    const last = latest.get(cue.text);
    if (last && Math.abs(last.end - cue.start) <= APART) last.end = cue.end;
    else {
      const own = { ...cue };
      joined.push(own);
      latest.set(cue.text, own);
    }
  }
  return joined;
}

/** Finds the cues that may be shown between two times, by bisection: a track has many, and so has a time map. */
function cuesWithin(cues: readonly TextCue[]): (from: number, to: number) => TextCue[] {
  const sorted = cues.toSorted((a, b) => a.start - b.start);
  let latest = Number.NEGATIVE_INFINITY;
  const ends = sorted.map(({ end }) => {
    latest = Math.max(latest, end);
    return latest;
  });
  const starts = sorted.map(({ start }) => start);
  const firstAbove = (values: readonly number[], limit: number) =>
    firstIndex(values.length, (index) => (values[index] ?? 0) > limit);
  return (from, to) => sorted.slice(firstAbove(ends, from), firstAbove(starts, to));
}
