import { captionLimits, tooManyWords, unspaced } from '../../../../schema/media/caption-limits.ts';
import type { CaptionedWord, Captions } from '../../../../schema/media/captions.ts';
import type { CueMark, WordStyle } from '../../../../schema/media/cue-markup.ts';
import type { Cue } from '../../../../schema/media/subtitles.ts';
import type { TimeMap } from '../../../../schema/task/task.ts';
import { firstIndex } from '../../../model/numbers/first-index.ts';
import type { CaptionWord, Passage } from '../../../model/read-text.ts';
import { bareSpan, isGlued, wordsOfText, wordsToCompare } from '../../../model/segment-words.ts';
import { TaskFailure } from '../../../model/task-failure.ts';

export type { CaptionWord, Passage };

/** Splits a cue into words. Between times that it states, their durations are in proportion to their letters. */
export function wordsOfCue({ start, end, text, marks = [], times = [] }: Cue): CaptionWord[] {
  const words = placed(text, wordsOfText(text));
  const parts: { start: number; words: Placed[] }[] = [{ start, words: [] }];
  let next = 0;
  for (const word of styled(words, marks)) {
    let begins: number | null = null;
    for (; (times[next]?.at ?? Number.POSITIVE_INFINITY) <= word.from; next++)
      begins = times[next]?.seconds ?? begins;
    if (begins !== null && parts.at(-1)?.words.length === 0) parts.pop();
    if (begins !== null) parts.push({ start: begins, words: [] });
    parts.at(-1)?.words.push(word);
  }
  return parts
    .flatMap((part, index) => spread(part.words, part.start, parts[index + 1]?.start ?? end))
    .map(({ from: _, ...word }) => ({ ...word, confidence: null }));
}

type Bare = ReturnType<typeof wordsOfText>[number];
/** A word, and where it begins in its text. */
type Placed = Bare & WordStyle & { from: number };

function placed(text: string, words: readonly Bare[]): Placed[] {
  let at = 0;
  return words.map((word) => {
    const from = Math.max(at, text.indexOf(word.text, at));
    at = from + word.text.length;
    return { ...word, from };
  });
}

/** Gives words parts of a span in proportion to their letters. */
export function spread<Word extends Bare>(
  words: readonly Word[],
  start: number,
  end: number,
): (Word & { start: number; end: number })[] {
  const all = words.reduce((sum, word) => sum + weightOf(word.text), 0);
  let passed = 0;
  return words.map((word) => {
    const begins = start + ((end - start) * passed) / all;
    passed += weightOf(word.text);
    return { ...word, start: begins, end: start + ((end - start) * passed) / all };
  });
}

/** Words with the style of the part of the text in which each begins. */
function styled(words: readonly Placed[], marks: readonly CueMark[]): Placed[] {
  let next = 0;
  return words.map((word) => {
    while ((marks[next]?.to ?? Number.POSITIVE_INFINITY) <= word.from) next++;
    const mark = marks[next];
    if (!mark || mark.from >= word.from + word.text.length) return word;
    const { from: _, to: __, ...style } = mark;
    return { ...word, ...style };
  });
}

/** Relative duration of a word, including the pause after a sentence. */
const weightOf = (text: string) => text.length + 1 + (/[.!?…。！？]$/u.test(text) ? 2 : 0);

/** No word is longer in scripts without spaces. */
const LONGEST_UNSPACED = 12;

/** The words of a text with times: usually one, but some give a sentence. */
function wordsIn(given: CaptionedWord): CaptionWord[] {
  const text = given.text.trim();
  if (text === '') return [];
  const isWord = unspaced.test(text)
    ? text.length <= LONGEST_UNSPACED && !/\s/.test(text)
    : wordsOfText(text).length === 1;
  if (isWord) return [{ ...given, text, glued: false }];
  return divided({ ...given, text });
}

/** Words of scripts that have no spaces follow each other without one. */
const gluedTogether = (words: readonly CaptionWord[]): CaptionWord[] =>
  words.map((word, index) =>
    isGlued(words[index - 1]?.text ?? '', word.text) ? { ...word, glued: true } : word,
  );

/** Converts timed captions to words. Throws `captions_invalid` for too many words. */
export function passagesOf(captions: Exclude<Captions, { kind: 'script' }>): Passage[] {
  let count = 0;
  if (captions.kind === 'words') {
    const words = gluedTogether(captions.words.flatMap(wordsIn));
    if (words.length === 0) throw new TaskFailure('captions_invalid', 'The words have no letters.');
    checkWordCount(words.length);
    return [{ words, shown: null }];
  }
  return captions.cues.map((cue) => {
    const words = wordsOfCue(cue);
    count += words.length;
    checkWordCount(count);
    return { words, shown: { start: cue.start, end: cue.end } };
  });
}

/** Throws `captions_invalid` if there are more words than a text may have. */
export function checkWordCount(count: number): void {
  if (count > captionLimits.words) throw new TaskFailure('captions_invalid', `${tooManyWords(count)}.`);
}

/**
 * Maps words from a task's source to its output; a word is repeated if the output shows it twice. Throws
 * `captions_invalid` if that makes too many words.
 */
export function moved(passages: readonly Passage[], map: TimeMap, source: number): Passage[] {
  const spans = map.filter((span) => span.source === source && span.in[1] > span.in[0]);
  const timed = passages
    .flatMap(({ words }, passage) =>
      words.map((word) => ({ word, passage, middle: (word.start + word.end) / 2 })),
    )
    .sort((a, b) => a.middle - b.middle);
  let count = 0;
  const result: Passage[] = [];
  for (const {
    in: [from, to],
    out: [first, last],
  } of spans) {
    const rate = (last - first) / (to - from);
    const at = (time: number) => first + (Math.min(to, Math.max(from, time)) - from) * rate;
    const kept = new Map<number, CaptionWord[]>();
    const begin = firstIndex(timed.length, (index) => (timed[index]?.middle ?? 0) >= from);
    for (let index = begin; ; index++) {
      const next = timed[index];
      if (!next || next.middle >= to) break;
      const { word, passage } = next;
      const words = kept.get(passage) ?? [];
      words.push({ ...word, start: at(word.start), end: at(word.end) });
      kept.set(passage, words);
      checkWordCount(++count);
    }
    for (const [passage, words] of kept) {
      const shown = passages[passage]?.shown ?? null;
      result.push({ words, shown: shown && { start: at(shown.start), end: at(shown.end) } });
    }
  }
  const beginning = ({ words }: Passage) => words[0]?.start ?? 0;
  return result.sort((a, b) => beginning(a) - beginning(b));
}

/** What a word is compared by; a sign such as `%` has no letters, and is compared as it is written. */
function keyOf(text: string): string {
  const span = bareSpan(text);
  return (span ? text.slice(span.from, span.to) : text).normalize('NFC').toLowerCase().replaceAll('’', "'");
}

interface Replacement {
  from: string;
  to: string;
}

type Compiled<Rule> = Omit<Rule, 'from'> & { from: string[] };

/** The rules of a request, which are compiled once for all of its captions. */
interface Rules<Rule> {
  beginning: Prefix<Rule>;
  /** All words that they name. */
  words: ReadonlySet<string>;
  /** Words of signs alone among them. */
  signs: ReadonlySet<string>;
}

/** The words with which rules begin, as a node of their prefix tree. */
interface Prefix<Rule> {
  /** The rule that has no further words. */
  rule?: Compiled<Rule>;
  longer: Map<string, Prefix<Rule>>;
}

/** If two rules name the same words, the first one applies. */
function compiled<Rule extends { from: string }>(rules: readonly Rule[]): Rules<Rule> {
  const beginning: Prefix<Rule> = { longer: new Map() };
  const [named, signs] = [new Set<string>(), new Set<string>()];
  for (const rule of rules) {
    const texts = wordsToCompare(rule.from).map(({ text }) => text);
    const from = texts.map(keyOf);
    for (const key of from) named.add(key);
    for (const text of texts) if (!bareSpan(text)) signs.add(keyOf(text));
    let prefix = beginning;
    for (const key of from) {
      const longer = prefix.longer.get(key) ?? { longer: new Map() };
      prefix.longer.set(key, longer);
      prefix = longer;
    }
    if (from.length > 0) prefix.rule ??= { ...rule, from };
  }
  return { beginning, words: named, signs };
}

/** The rule that applies to the words from an index on: the longest one. */
function ruleAt<Rule>({ beginning }: Rules<Rule>, keys: readonly string[], index: number) {
  let longest: Compiled<Rule> | undefined;
  let prefix: Prefix<Rule> | undefined = beginning;
  for (let at = index; prefix; at++) {
    longest = prefix.rule ?? longest;
    const key = keys[at];
    prefix = key === undefined ? undefined : prefix.longer.get(key);
  }
  return longest;
}

/** Some words have spaces: recognized ones their signs, as in `50 %`, and others no-break spaces. Parts that a rule names become words of their own. */
function withPartsApart(words: readonly CaptionWord[], rules: Rules<unknown>): CaptionWord[] {
  return words.flatMap((word) => {
    if (!/\s/.test(word.text)) return [word];
    const keys = word.text.split(/\s+/).map(keyOf);
    const joined = /[\u00a0\u202f]/.test(word.text) && !rules.words.has(keyOf(word.text));
    const isWhole = !keys.some((key) => rules.signs.has(key) || (joined && rules.words.has(key)));
    if (isWhole) return [word];
    const parts = divided({ ...word, text: word.text.replace(/\s+/g, ' ') });
    return parts.map((part, index) => (index === 0 ? { ...part, glued: word.glued } : part));
  });
}

/** The words of a text with times. */
const divided = (word: CaptionedWord): CaptionWord[] =>
  wordsOfCue(word).map((part) => ({
    ...word,
    ...part,
    confidence: word.confidence ?? null,
  }));

/** Changes the words of one caption. */
type Change = (captioned: readonly CaptionWord[]) => CaptionWord[];

/**
 * Replaces words, which keep their style. Replacements take over the times and the surrounding punctuation. The change throws
 * `captions_invalid` if it makes too many words.
 */
export function replacing(replacements: readonly Replacement[]): Change {
  if (replacements.length === 0) return (captioned) => [...captioned];
  const rules = compiled(replacements);
  return (captioned) => replaced(captioned, rules);
}

function replaced(captioned: readonly CaptionWord[], rules: Rules<Replacement>): CaptionWord[] {
  const words = withPartsApart(captioned, rules);
  const keys = words.map(({ text }) => keyOf(text));
  const result: CaptionWord[] = [];
  for (let index = 0; index < words.length; ) {
    const rule = ruleAt(rules, keys, index);
    const found = words.slice(index, index + (rule?.from.length ?? 1));
    const [first, last] = [found[0], found.at(-1)];
    if (!first || !last) break;
    index += found.length;
    if (!rule) {
      result.push(first);
      continue;
    }
    if (rule.to.trim() === '') continue;
    // A sign is replaced itself.
    const lead = first.text.slice(0, bareSpan(first.text)?.from ?? 0);
    const trail = last.text.slice(bareSpan(last.text)?.to ?? last.text.length);
    const cue = { start: first.start, end: last.end, text: `${lead}${rule.to.trim()}${trail}` };
    const { speaker, color, bold, italic } = first;
    const made = wordsOfCue(cue).map((word) => ({ ...word, ...given({ speaker, color, bold, italic }) }));
    const [begin] = made;
    if (begin) begin.glued = first.glued;
    for (const word of made) result.push(word);
    checkWordCount(result.length);
  }
  return result;
}

/** Gives the words of keywords, and of phrases that are keywords, their colors. The longest phrase counts. */
export const coloring = (keywords: readonly { text: string; color: string }[]): Change =>
  marking(keywords, ({ color }, found) => found.map((word) => ({ ...word, color: word.color ?? color })));

/** Gives the first word of each of these words and phrases its emoji. */
export const picturing = (pictured: readonly { text: string; emoji: string }[]): Change =>
  marking(pictured, ({ emoji }, [first, ...others]) => (first ? [{ ...first, emoji }, ...others] : others));

/** Changes the words of a rule's text. The longest text counts. */
function marking<Rule extends { text: string }>(
  rules: readonly Rule[],
  change: (rule: Omit<Rule, 'text'>, found: readonly CaptionWord[]) => CaptionWord[],
): Change {
  if (rules.length === 0) return (captioned) => [...captioned];
  const known = compiled(rules.map(({ text, ...rule }) => ({ from: text, rule })));
  return (captioned) => {
    const words = withPartsApart(captioned, known);
    const keys = words.map(({ text }) => keyOf(text));
    const result: CaptionWord[] = [];
    for (let index = 0; index < words.length; ) {
      const found = ruleAt(known, keys, index);
      const own = words.slice(index, index + (found?.from.length ?? 1));
      for (const word of found ? change(found.rule, own) : own) result.push(word);
      index += own.length;
    }
    return result;
  };
}

/** What of a style is said. */
export const given = (style: WordStyle): WordStyle =>
  Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined));

/** Drops the words whose middle is in one of these ranges. */
export function without(
  words: readonly CaptionWord[],
  ranges: readonly { start: number; end: number }[],
): CaptionWord[] {
  return words.filter(({ start, end }) => {
    const middle = (start + end) / 2;
    return !ranges.some((range) => middle >= range.start && middle < range.end);
  });
}

/** Joins words into readable text. */
export function textOf(words: readonly CaptionWord[]): string {
  return words.map(({ text, glued }, index) => (index === 0 || glued ? text : ` ${text}`)).join('');
}
