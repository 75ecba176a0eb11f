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
  const made = map
    .filter((clip) => clip.source === source)
    .flatMap(({ in: [from, to], out: [begin, end] }) => {
      const rate = (end - begin) / (to - from);
      const placed = (time: number) => begin + (time - from) * rate;
      return cues.flatMap((cue): TextCue[] => {
        const [start, stop] = [
          Math.max(cue.start, Math.min(from, to)),
          Math.min(cue.end, Math.max(from, to)),
        ];
        if (stop - start < SHORTEST) return [];
        const [one, other] = [placed(start), placed(stop)];
        return [{ start: Math.min(one, other), end: Math.max(one, other), text: cue.text }];
      });
    })
    .sort((a, b) => a.start - b.start);
  const joined: TextCue[] = [];
  for (const cue of made) {
    const last = joined.findLast(({ text }) => text === cue.text);
    if (last && Math.abs(last.end - cue.start) <= APART) last.end = cue.end;
    else joined.push({ ...cue });
  }
  return joined;
}
