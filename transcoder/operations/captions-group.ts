import {
  clings,
  endsClause,
  endsSentence,
  fits,
  type LineRules,
  lengthOf,
  linesOf,
} from './captions-lines.ts';
import { type CaptionWord, type Passage, textOf } from './captions-words.ts';

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

function divided(words: readonly CaptionWord[], rules: GroupRules, next: number): CaptionCue[] {
  const best: Best[] = [{ cost: 0, from: 0 }];
  for (let to = 1; to <= words.length; to++) {
    let least: Best | null = null;
    for (let from = to - 1; from >= Math.max(0, to - rules.maxWords); from--) {
      const part = words.slice(from, to);
      if (part.length > 1 && !fits(part, rules)) break;
      const before = best[from]?.cost ?? 0;
      const cost = before + costOf(part, words[to], next, rules);
      if (!least || cost < least.cost) least = { cost, from };
    }
    if (least) best[to] = least;
  }
  const cues: CaptionCue[] = [];
  for (let to = words.length; to > 0; ) {
    const { from } = best[to] ?? { from: 0 };
    const part = words.slice(from, to);
    cues.push({ ...shownFor(part, words[to]?.start ?? next, rules), lines: linesOf(part, rules) ?? [part] });
    to = from;
  }
  return cues.reverse();
}

/** When words are shown, if the next caption begins then. */
function shownFor(words: readonly CaptionWord[], next: number, { least, most, pace, gap, end }: GroupRules) {
  const [first, last] = [words[0], words.at(-1)];
  const start = first?.start ?? 0;
  const wanted = Math.max(
    (last?.end ?? start) + LINGER,
    start + least,
    start + lengthOf(textOf(words)) / pace,
  );
  return { start, end: Math.max(start, Math.min(wanted, next - gap, start + most, end)) };
}

function costOf(
  part: readonly CaptionWord[],
  following: CaptionWord | undefined,
  next: number,
  rules: GroupRules,
): number {
  const { start, end } = shownFor(part, following?.start ?? next, rules);
  const [first, last] = [part[0], part.at(-1)];
  if (!first || !last) return BROKEN;
  let cost = 1;
  if (end - start < rules.least - 1e-6) cost += BROKEN * (1 + rules.least - end + start);
  if (last.end - first.start > rules.most) cost += part.length > 1 ? BROKEN : 0;
  const pace = lengthOf(textOf(part)) / Math.max(0.001, end - start);
  if (pace > rules.pace + 1e-6) cost += BROKEN * (pace / rules.pace);
  else cost += (pace / rules.pace) ** 4 / 2;
  for (const [index, word] of part.entries()) {
    const after = part[index + 1];
    if (!after) continue;
    const pause = after.start - word.end;
    if (pause > LONG_PAUSE) cost += 20 * pause;
    else if (pause > PAUSE) cost += 3 * pause;
    if (endsSentence(word)) cost += 0.6;
  }
  if (!following) return cost;
  const pause = following.start - last.end;
  if (clings(last)) cost += 6;
  if (endsSentence(last)) return cost;
  if (endsClause(last)) return cost + 0.5;
  return cost + (pause > PAUSE ? 0.5 : 2);
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
