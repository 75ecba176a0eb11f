import type { TimeMap } from '../../../../schema/task/task.ts';
import type { TextCue } from '../../../model/plan.ts';

/** What is left of a cue that is shorter would only flash. Seconds. */
const SHORTEST = 0.04;
/** Parts of a cue that are closer than this were one cue. Seconds. */
const APART = 0.002;

/**
 * The cues of a source where they are in the output: each is shown while what it belongs to is, also backwards. Times are in seconds; `cues` count
 * from the start of the source.
 */
export function mappedCues(cues: readonly TextCue[], map: TimeMap, source = 0): TextCue[] {
  const within = cuesWithin(cues);
  const made = map
    .filter((clip) => clip.source === source)
    .flatMap(({ in: [from, to], out: [begin, end] }) => {
      const rate = (end - begin) / (to - from);
      const placed = (time: number) => begin + (time - from) * rate;
      const [early, late] = [Math.min(from, to), Math.max(from, to)];
      return within(early, late).flatMap((cue): TextCue[] => {
        const [start, stop] = [Math.max(cue.start, early), Math.min(cue.end, late)];
        if (stop - start < SHORTEST) return [];
        const [one, other] = [placed(start), placed(stop)];
        return [{ start: Math.min(one, other), end: Math.max(one, other), text: cue.text }];
      });
    })
    .sort((a, b) => a.start - b.start);
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
  return (from, to) => sorted.slice(firstAbove(ends, from), firstAbove(starts, to));
}

/** Index of the first of ascending values that is above `limit`. */
function firstAbove(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
