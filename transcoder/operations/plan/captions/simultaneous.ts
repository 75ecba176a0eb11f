import { greatest } from '../../../model/numbers/min-max.ts';
import type { Span } from '../frames.ts';
import { type CaptionWord, type Passage, spread } from './words.ts';

/** Words this close together in seconds begin at the same time, as engines write words whose time they do not know. */
export const TOGETHER = 0.02;
/** Seconds of such a word where nothing follows. */
export const WORD = 0.25;

/** Gives words that begin at the same time equal parts of the time until the next one. */
export function inTurn<Word extends Span>(words: readonly Word[], end: number): Word[] {
  return runsIn(words, end).flatMap(({ run, start, until }) => {
    const spoken = Math.max(greatest(run.map((word) => word.end)), start + WORD * run.length);
    const each = (Math.min(until, spoken) - start) / run.length;
    if (run.length === 1 || each <= 0) return run;
    return run.map((word, index) => ({
      ...word,
      ...{ start: start + index * each, end: start + (index + 1) * each },
    }));
  });
}

/** Words that begin at the same time, with the time of the next ones or, after the last, `end`. */
export function runsIn<Word extends Span>(
  words: readonly Word[],
  end: number,
): { run: readonly Word[]; start: number; until: number }[] {
  const runs: { run: readonly Word[]; start: number; until: number }[] = [];
  for (let from = 0; from < words.length; ) {
    const start = words[from]?.start ?? 0;
    let to = from + 1;
    while ((words[to]?.start ?? Number.POSITIVE_INFINITY) - start < TOGETHER) to++;
    runs.push({ run: words.slice(from, to), start, until: words[to]?.start ?? end });
    from = to;
  }
  return runs;
}

/** A caption on screen. */
interface Shown extends Span {
  lines: CaptionWord[][];
}

/** Captions that begin within this time in seconds are shown together, because the first would hardly be seen. */
const BRIEF = 0.04;
/** The same for captions that overlap, of which the first would be cut to this time in seconds and this share of its own. */
const [CUT_SHORT, CUT_SHARE] = [0.3, 1 / 3];
/** Lines of captions that are shown together. */
const MOST_LINES = 4;
/** ASS writes times in hundredths of a second. */
const SHORTEST = 0.02;

/**
 * When the next caption begins, for captions in which one begins that ends later, as in those that roll up. Parts of the two
 * would be mixed otherwise.
 */
export function aloneUntil(passages: readonly Passage[]): Map<Passage, number> {
  const timed = passages
    .flatMap((passage) => (passage.shown ? [{ passage, ...passage.shown }] : []))
    .sort((a, b) => a.start - b.start);
  const found = new Map<Passage, number>();
  for (const [index, one] of timed.entries()) {
    const next = timed[index + 1];
    if (next && next.start < one.end && next.end >= one.end && !isShownWith(next, one))
      found.set(one.passage, next.start);
  }
  return found;
}

/** Whether a caption appears with the one before it, of which little would be seen otherwise. */
function isShownWith(cue: Span, last: Span): boolean {
  const alone = cue.start - last.start;
  return alone < BRIEF || alone < Math.min(CUT_SHORT, CUT_SHARE * (last.end - last.start));
}

/** The words in the time up to an end, if some begin behind it: presets that go from word to word show all of them. */
export function within(words: readonly CaptionWord[], start: number, end: number): readonly CaptionWord[] {
  const last = words.at(-1);
  if (!last || last.start < end) return words;
  const share = (end - start) / (last.end - start);
  const at = (time: number) => start + (time - start) * share;
  return words.map((word) => ({ ...word, start: at(word.start), end: at(word.end) }));
}

/** Changes the words of lines together. */
function retimed(lines: Shown['lines'], change: (words: readonly CaptionWord[]) => readonly CaptionWord[]) {
  const words = change(lines.flat());
  let to = 0;
  return lines.map(({ length }) => {
    to += length;
    return words.slice(to - length, to);
  });
}

/** The words of captions that are shown together: presets go from each word to the next. */
function inReadingOrder(words: readonly CaptionWord[], { start, end }: Span): readonly CaptionWord[] {
  const begins = words.map((word) => word.start);
  const isInOrder = begins.every((time, index) => index === 0 || time >= (begins[index - 1] ?? 0) + TOGETHER);
  return isInOrder ? words : spread(words, start, end);
}

/** Sorts captions and removes overlaps. One that begins with another follows it in the same caption, if there is room. */
export function oneAtATime(cues: readonly Shown[], end: number): Shown[] {
  const shown: Shown[] = [];
  const joined = new Set<Shown>();
  for (const cue of cues.toSorted((a, b) => a.start - b.start)) {
    const last = shown.at(-1);
    if (cue.lines.length === 0) continue;
    const together = last !== undefined && isShownWith(cue, last);
    const fits = together && last.lines.length + cue.lines.length <= MOST_LINES;
    if (!last || (!fits && cue.start - last.start >= BRIEF)) {
      if (last) last.end = Math.min(Math.max(last.end, last.start + BRIEF), cue.start);
      shown.push({ ...cue });
    } else if (fits) {
      last.lines = [...last.lines, ...cue.lines];
      last.end = Math.max(last.end, cue.end);
      joined.add(last);
    }
  }
  const final = shown.at(-1);
  if (final) final.end = Math.min(Math.max(final.end, final.start + BRIEF), Math.max(end, final.end));
  return shown
    .filter((cue) => cue.end - cue.start > SHORTEST)
    .map((cue) => {
      const { start, lines } = cue;
      // What is said after the end of the video is not heard either.
      const end = cue === final ? Number.POSITIVE_INFINITY : cue.end;
      const timed = (words: readonly CaptionWord[]) =>
        within(joined.has(cue) ? inReadingOrder(words, cue) : words, start, end);
      return { ...cue, lines: retimed(lines, timed) };
    });
}
