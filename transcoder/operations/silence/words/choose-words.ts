import type { RemovalReason } from '../../../../schema/operations/edit-by-text.ts';
import type { OperationInput } from '../../../../schema/operations/index.ts';
import { countText } from '../../../model/numbers/count-text.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { keptPlaces } from './kept-places.ts';
import {
  bareText,
  type Divided,
  divided,
  haveSigns,
  namedAmong,
  type Spelled,
  saidIn,
  signsOf,
  singleWord,
  spelled,
  spelledText,
  wholeWords,
} from './spelled.ts';
import { areFillers, areMeantTwice, isEnglish, isProfane } from './spoken-words.ts';

export interface TimedText {
  text: string;
  start: number;
  end: number;
}

type Input = Pick<OperationInput<'edit_by_text'>, 'remove' | 'keep_text' | 'profanity' | 'mask_words'>;

/**
 * Why each word is removed; null for words that stay. A sign such as `%` or `&` is removed with the word or phrase that names it, and
 * otherwise with the word before it, or after it at the beginning. Throws `captions_invalid`.
 * @param language Of the words, as a BCP 47 tag; null if unknown.
 */
export function removals(
  words: readonly TimedText[],
  input: Input,
  language: string | null,
): (RemovalReason | null)[] {
  const lettered = words.filter(hasLetters);
  const { found: chosen, led } = letteredRemovals(lettered, spelledWords(words), input, language);
  let passed = 0;
  return words.map((word) => {
    if (hasLetters(word)) return chosen[passed++] ?? null;
    if (isWithin(word, input.remove?.ranges ?? [])) return 'range';
    if (led.has(passed) && signsOf(word.text) !== '') return chosen[passed] ?? null;
    const reason = chosen[Math.max(0, passed - 1)] ?? null;
    return reason === 'range' ? null : reason;
  });
}

const spelledWords = (words: readonly TimedText[]) => spelled(words.map(({ text }) => text));

const hasLetters = ({ text }: TimedText) => bareText(text) !== '';

function isWithin({ start, end }: TimedText, ranges: readonly { start: number; end: number }[]): boolean {
  const middle = (start + end) / 2;
  return ranges.some((range) => middle >= range.start && middle < range.end);
}

interface Removals {
  found: (RemovalReason | null)[];
  /** Indexes of words that are removed with the signs before them. */
  led: ReadonlySet<number>;
}

/** The same of words with letters. */
function letteredRemovals(
  words: readonly TimedText[],
  written: Spelled,
  { remove, keep_text }: Input,
  language: string | null,
): Removals {
  const { bare } = written;
  const parts = divided(written);
  const led = new Set<number>();
  const found: (RemovalReason | null)[] = words.map(() => null);
  const mark = (index: number, reason: RemovalReason) => {
    found[index] ??= reason;
  };
  if (keep_text !== undefined) {
    const stays = new Set(wordsKept(bare, parts, spelledText(keep_text)));
    for (const index of words.keys()) if (!stays.has(index)) mark(index, 'text');
  }
  if (!remove) return { found, led };
  if (remove.fillers) {
    const texts = words.map(({ text }) => text);
    for (const [index, is] of areFillers(texts, bare, language).entries()) if (is) mark(index, 'filler');
  }
  const named = namedAmong(remove.words);
  for (const index of bare.keys()) {
    const wanted = named(written, index);
    if (!wanted) continue;
    mark(index, 'word');
    if (wanted.signs[0] !== '') led.add(index);
  }
  for (const phrase of remove.phrases.map(spelledText)) {
    for (const said of saidIn(parts, phrase)) {
      for (const index of said) mark(index, 'phrase');
      if (phrase.signs[0] !== '') led.add(said[0] ?? 0);
    }
  }
  for (const [index, word] of words.entries()) if (isWithin(word, remove.ranges)) mark(index, 'range');
  if (remove.repeats) markRepeats(words, bare, found, language);
  return { found, led };
}

/** Indexes of the words that a text keeps. Throws `captions_invalid`. */
function wordsKept(bare: readonly string[], parts: Divided, wanted: Spelled): number[] {
  const kept = keptPlaces(bare, wanted.bare);
  if ('places' in kept) return kept.places;
  const lettered = keptPlaces(parts.units, divided(wanted).units);
  const words = 'places' in lettered ? wholeWords(lettered.places, parts) : null;
  if (!words) throw new TaskFailure('captions_invalid', missingText(kept, bare.length));
  return words;
}

const missingText = ({ missing, after }: { missing: string; after: number }, all: number) =>
  after === 0
    ? `\`keep_text\` has “${missing}”, which is not among the ${countText(all, 'word')} of the source. Give words of the source in their order; \`/transcribe\` returns them.`
    : `\`keep_text\` has “${missing}” where the source does not say it, after ${countText(after, 'matching word')}. Only leave words out; \`/transcribe\` returns all of them.`;

/** Longest group of words that counts as a repeat. */
const GROUP = 4;
/** A speaker who starts again does so within this many seconds. */
const SOON = 1.5;

/** Marks words that are said again at once; removed words between them do not matter. */
function markRepeats(
  words: readonly TimedText[],
  bare: readonly string[],
  found: (RemovalReason | null)[],
  language: string | null,
): void {
  const left = [...words.keys()].filter((index) => found[index] === null);
  const ends = (index: number) => /[.!?…]["'”’)\]]*$/u.test(words[index]?.text ?? '');
  for (let at = 0; at < left.length; at++) {
    for (let size = Math.min(GROUP, Math.floor((left.length - at) / 2)); size > 0; size--) {
      const first = left.slice(at, at + size);
      const second = left.slice(at + size, at + 2 * size);
      if (first.some((index, place) => bare[index] !== bare[second[place] ?? -1])) continue;
      if (first.some(ends)) continue;
      const said = first.map((index) => bare[index] ?? '');
      if (areMeantTwice(said, language)) continue;
      const [last, next] = [words[first.at(-1) ?? 0], words[second[0] ?? 0]];
      if (!last || !next || next.start - last.end > SOON) continue;
      for (const index of first) found[index] = 'repeat';
      at += size - 1;
      break;
    }
  }
}

/** Of the words and phrases to remove or mask, those that are not among the words. */
export function notSaid(words: readonly TimedText[], { remove, mask_words }: Input): string[] {
  const written = spelledWords(words);
  const parts = divided(written);
  const places = Map.groupBy(written.bare.keys(), (index) => written.bare[index]);
  const isSaid = (word: string) => {
    const { bare, signs } = singleWord(word);
    return places.get(bare[0])?.some((index) => haveSigns(written.signs, index, signs)) ?? false;
  };
  return [
    ...[...(remove?.words ?? []), ...mask_words].filter((word) => !isSaid(word)),
    ...(remove?.phrases ?? []).filter((phrase) => saidIn(parts, spelledText(phrase)).length === 0),
  ];
}

/**
 * Whether each word is masked: profanity where the words are English, because other languages have the same words, such as the
 * Swedish for “end”; and the words of the request.
 * @param language See `removals`.
 */
export function masks(
  words: readonly TimedText[],
  { profanity, mask_words }: Input,
  language: string | null,
): boolean[] {
  if (profanity === 'none') return words.map(() => false);
  const own = namedAmong(mask_words);
  const written = spelledWords(words);
  const inEnglish = isEnglish(language, written.bare);
  const masked = written.bare.map(
    (word, index) => own(written, index) !== undefined || (inEnglish && isProfane(word)),
  );
  let passed = 0;
  return words.map((word) => hasLetters(word) && masked[passed++] === true);
}
