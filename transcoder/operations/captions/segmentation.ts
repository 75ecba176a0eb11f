import {
  clings,
  endsClause,
  endsSentence,
  type LineRules,
  lengthOfWord,
  linesOf,
  roomOf,
} from './line-breaking.ts';
import { type CaptionWord, type Passage, textOf } from './words.ts';

/** What captions keep to; see the BBC's and Netflix's guides for timed text. */
export interface GroupRules extends LineRules {
  maxWords: number;
  /** Seconds that a caption is shown for at least and at most. */
  least: number;
  most: number;
  /** Most characters a second. */
  pace: number;
  /** Seconds between two captions at least. */
  gap: number;
  /** Where the video ends. */
  end: number;
}

/** What is shown at a time, in seconds. */
export interface CaptionCue {
  start: number;
  end: number;
  lines: CaptionWord[][];
}

export const wordsOf = ({ lines }: CaptionCue) => lines.flat();
export const cueText = ({ lines }: CaptionCue, between = '\n') => lines.map(textOf).join(between);

/** A caption stays for so long after its last word, where nothing follows. */
const LINGER = 0.4;
/** What breaks a rule costs more than anything else. */
const BROKEN = 1000;
/** A pause of so many seconds belongs between captions. */
const PAUSE = 0.35;
const LONG_PAUSE = 1.5;

/** Words as captions, by a dynamic programme over all divisions: the one that costs least. */
export function grouped(passages: readonly Passage[], rules: GroupRules): CaptionCue[] {
  const cues = passages.flatMap(({ words, shown }, index) => {
    const following = passages[index + 1];
    const next = following?.shown?.start ?? following?.words[0]?.start ?? rules.end + rules.gap;
    if (!shown) return divided(words, rules, next);
    return asGiven(words, shown, { ...rules, end: Math.min(rules.end, Math.max(shown.end, shown.start)) });
  });
  return apart(cues);
}

/** A caption of a caller stays whole where it fits; its times are its own. */
function asGiven(
  words: readonly CaptionWord[],
  shown: NonNullable<Passage['shown']>,
  rules: GroupRules,
): CaptionCue[] {
  if (words.length === 0) return [];
  const lines = words.length <= rules.maxWords ? linesOf(words, rules) : null;
  if (lines) return [{ ...shown, end: Math.min(shown.end, rules.end), lines }];
  return divided(words, { ...rules, least: 0, pace: Number.POSITIVE_INFINITY }, shown.end + rules.gap);
}

interface Best {
  cost: number;
  from: number;
}

/** Words, with what the division asks of each over and over. */
interface Measured {
  words: readonly CaptionWord[];
  /** Characters of the first so many words, with a space before each that has one. */
  lengths: number[];
  /** Up to which word a caption that begins with each has room. */
  room: number[];
  /** What it costs to go on behind each word in the same caption. */
  joins: number[];
  /** What it costs to end a caption behind each word, where another one follows. */
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
    return cost + (sentences[index] ? 0.6 : 0);
  });
  const ends = words.map((word, index) => {
    const clinging = clings(word) ? 6 : 0;
    if (sentences[index]) return clinging;
    if (endsClause(word)) return clinging + 0.5;
    const pause = (words[index + 1]?.start ?? word.end) - word.end;
    return clinging + (pause > PAUSE ? 0.5 : 2);
  });
  return { words, lengths, room: roomOf(words, own, rules), joins, ends };
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

/** Characters of the words from one up to another as they are read. */
function lengthBetween({ words, lengths }: Measured, from: number, to: number): number {
  return (lengths[to] ?? 0) - (lengths[from] ?? 0) - (words[from]?.glued ? 0 : 1);
}

/** When words are shown, if nothing but what follows them is; `next` is when what follows the last of all begins. */
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
  return { start, end: Math.max(start, Math.min(wanted, following - gap, start + most, end)) };
}

/** What a caption of the words from one up to another costs, without what it costs to join them. */
function costOf(known: Measured, from: number, to: number, next: number, rules: GroupRules): number {
  const { words } = known;
  const { start, end } = shownFor(known, from, to, next, rules);
  const [first, last, following] = [words[from], words[to - 1], words[to]];
  if (!first || !last) return BROKEN;
  let cost = 1;
  if (end - start < rules.least - 1e-6) cost += BROKEN * (1 + rules.least - end + start);
  if (last.end - first.start > rules.most) cost += to - from > 1 ? BROKEN : 0;
  const pace = lengthBetween(known, from, to) / Math.max(0.001, end - start);
  if (pace > rules.pace + 1e-6) cost += BROKEN * (pace / rules.pace);
  else cost += (pace / rules.pace) ** 4 / 2;
  return following ? cost + (known.ends[to - 1] ?? 0) : cost;
}

/** In order of time, and never two at once. */
function apart(cues: readonly CaptionCue[]): CaptionCue[] {
  return cues
    .filter(({ start, end, lines }) => start < end && lines.length > 0)
    .sort((a, b) => a.start - b.start)
    .map((cue, index, all) => {
      const next = all[index + 1];
      return next && cue.end > next.start ? { ...cue, end: next.start } : cue;
    })
    .filter((cue) => cue.end - cue.start > 0.02);
}
