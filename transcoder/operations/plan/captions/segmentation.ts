import {
  bindsToNextWord,
  endsClause,
  endsSentence,
  type LineRules,
  lengthOfWord,
  linesOf,
  longestCaptionEnds,
} from './line-breaking.ts';
import { aloneUntil, inTurn, oneAtATime, within } from './simultaneous.ts';
import { speakerChanges } from './speakers.ts';
import { type CaptionWord, type Passage, textOf } from './words.ts';

/** Rules for captions; see the timed text guides of the BBC and Netflix. */
export interface GroupRules extends LineRules {
  maxWords: number;
  /** Shortest and longest display time in seconds. */
  least: number;
  most: number;
  /** Highest reading speed, in characters per second. */
  pace: number;
  /** Shortest gap between two captions, in seconds. */
  gap: number;
  /** Weight of captions of similar length against few captions. */
  evenness?: number;
  /** End of the video. */
  end: number;
}

/** A caption on screen; times in seconds. */
export interface CaptionCue {
  start: number;
  end: number;
  lines: CaptionWord[][];
}

export const wordsOf = ({ lines }: CaptionCue) => lines.flat();
export const cueText = ({ lines }: CaptionCue) => lines.map(textOf).join('\n');

/** How long a caption stays after its last word if nothing follows. */
const LINGER = 0.4;
/** Of the time until the next caption. */
const LARGEST_GAP = 0.2;
/** Cost of breaking a rule, higher than all other costs together. */
const BROKEN = 1000;
/** A pause of this many seconds should fall between captions. */
const PAUSE = 0.35;
const LONG_PAUSE = 1.5;

/** Groups words into captions at the lowest total cost, by dynamic programming over all divisions. */
export function grouped(passages: readonly Passage[], rules: GroupRules): CaptionCue[] {
  const alone = aloneUntil(passages);
  const cues = passages.flatMap((passage, index) => {
    const { words, shown } = passage;
    const following = passages[index + 1];
    const next = following?.shown?.start ?? following?.words[0]?.start ?? rules.end + rules.gap;
    if (!shown) return divided(inTurn(words, rules.end), rules, next);
    const end = Math.min(rules.end, Math.max(shown.end, shown.start));
    return asGiven(words, shown, { ...rules, end }, alone.get(passage) ?? end);
  });
  return oneAtATime(cues, rules.end);
}

/**
 * Keeps a caller's caption whole, with its own times, if it fits.
 * @param alone When the next caption begins.
 */
function asGiven(
  words: readonly CaptionWord[],
  shown: NonNullable<Passage['shown']>,
  rules: GroupRules,
  alone: number,
): CaptionCue[] {
  if (words.length === 0) return [];
  const lines = words.length <= rules.maxWords ? linesOf(words, rules) : null;
  if (lines) return [{ ...shown, end: Math.min(shown.end, rules.end), lines }];
  const whole = { ...rules, least: 0, pace: Number.POSITIVE_INFINITY };
  return divided(within(words, shown.start, alone), whole, Math.min(alone, shown.end) + rules.gap);
}

interface Best {
  cost: number;
  from: number;
}

/** Words with precomputed values for the search. */
interface Measured {
  words: readonly CaptionWord[];
  /** `lengths[n]`: characters in the first n words, including spaces. */
  lengths: number[];
  /** For each word, the end of the longest caption that can start with it. */
  room: number[];
  /** Cost of continuing the caption after each word. */
  joins: number[];
  /** Cost of ending the caption after each word if another one follows. */
  ends: number[];
}

function measured(words: readonly CaptionWord[], rules: GroupRules): Measured {
  const own = words.map(lengthOfWord);
  const lengths = [0];
  for (const [index, { glued }] of words.entries())
    lengths.push((lengths[index] ?? 0) + (own[index] ?? 0) + (glued ? 0 : 1));
  const sentences = words.map(endsSentence);
  const joins = words.map((word, index) => {
    const after = words[index + 1];
    if (!after) return 0;
    const pause = after.start - word.end;
    const cost = pause > LONG_PAUSE ? 20 * pause : pause > PAUSE ? 3 * pause : 0;
    if (speakerChanges(word, after)) return BROKEN;
    return cost + (sentences[index] ? 0.6 : 0);
  });
  const ends = words.map((word, index) => {
    const clinging = bindsToNextWord(word) ? 6 : 0;
    if (sentences[index]) return clinging;
    if (endsClause(word)) return clinging + 0.5;
    const pause = (words[index + 1]?.start ?? word.end) - word.end;
    return clinging + (pause > PAUSE ? 0.5 : 2);
  });
  return { words, lengths, room: longestCaptionEnds(words, words.map(rules.lengthOf), rules), joins, ends };
}

function divided(words: readonly CaptionWord[], rules: GroupRules, next: number): CaptionCue[] {
  const known = measured(words, rules);
  const best: Best[] = [{ cost: 0, from: 0 }];
  for (let to = 1; to <= words.length; to++) {
    let least: Best | null = null;
    let joined = 0;
    for (let from = to - 1; from >= Math.max(0, to - rules.maxWords); from--) {
      const single = to - from === 1;
      if (!single) {
        if ((known.room[from] ?? 0) < to) break;
        joined += known.joins[from] ?? 0;
      }
      const cost = (best[from]?.cost ?? 0) + joined + costOf(known, from, to, next, rules);
      if (!least || cost < least.cost) least = { cost, from };
    }
    if (least) best[to] = least;
  }
  const cues: CaptionCue[] = [];
  for (let to = words.length; to > 0; ) {
    const { from } = best[to] ?? { from: 0 };
    const part = words.slice(from, to);
    cues.push({ ...shownFor(known, from, to, next, rules), lines: linesOf(part, rules) ?? [part] });
    to = from;
  }
  return cues.reverse();
}

/** Characters in a range of words, including spaces. */
function lengthBetween({ words, lengths }: Measured, from: number, to: number): number {
  return (lengths[to] ?? 0) - (lengths[from] ?? 0) - (words[from]?.glued ? 0 : 1);
}

/**
 * Display time of a range of words, limited only by what follows. `next` is when the text after the last word begins.
 */
function shownFor(known: Measured, from: number, to: number, next: number, rules: GroupRules) {
  const { least, most, pace, gap, end } = rules;
  const { words } = known;
  const start = words[from]?.start ?? 0;
  const wanted = Math.max(
    (words[to - 1]?.end ?? start) + LINGER,
    start + least,
    start + lengthBetween(known, from, to) / pace,
  );
  const following = words[to]?.start ?? next;
  const until = following - Math.min(gap, (following - start) * LARGEST_GAP);
  return { start, end: Math.max(start, Math.min(wanted, until, start + most, end)) };
}

/** Cost of a range of words as a caption, excluding the cost of joining them. */
function costOf(known: Measured, from: number, to: number, next: number, rules: GroupRules): number {
  const { words } = known;
  const { start, end } = shownFor(known, from, to, next, rules);
  const [first, last, following] = [words[from], words[to - 1], words[to]];
  if (!first || !last) return BROKEN;
  let cost = 1 + (rules.evenness ?? 0) * (to - from) ** 2;
  if (end - start < rules.least - 1e-6) cost += BROKEN * (1 + rules.least - end + start);
  if (last.end - first.start > rules.most) cost += to - from > 1 ? BROKEN : 0;
  const pace = lengthBetween(known, from, to) / Math.max(0.001, end - start);
  if (pace > rules.pace + 1e-6) cost += BROKEN * (pace / rules.pace);
  else cost += (pace / rules.pace) ** 4 / 2;
  return following ? cost + (known.ends[to - 1] ?? 0) : cost;
}
