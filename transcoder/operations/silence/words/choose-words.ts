import { unspaced } from '../../../../schema/media/caption-limits.ts';
import type { RemovalReason } from '../../../../schema/operations/edit-by-text.ts';
import type { OperationInput } from '../../../../schema/operations/index.ts';
import { graphemes } from '../../../model/graphemes.ts';
import { countText } from '../../../model/numbers/count-text.ts';
import { bareSpan, wordsOfText } from '../../../model/segment-words.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { keptPlaces } from './kept-places.ts';
import { isEnglish, isFiller, isMeantTwice, isProfane } from './spoken-words.ts';

export interface TimedText {
  text: string;
  start: number;
  end: number;
}

type Input = Pick<OperationInput<'edit_by_text'>, 'remove' | 'keep_text' | 'profanity' | 'mask_words'>;

/** Small letters and digits of a word, without the punctuation around it. */
export function bareText(text: string): string {
  const span = bareSpan(text);
  return span ? text.slice(span.from, span.to).normalize('NFC').toLowerCase().replaceAll('’', "'") : '';
}

const bareWords = (text: string) =>
  wordsOfText(text)
    .map((word) => bareText(word.text))
    .filter((word) => word !== '');

/**
 * Why each word is removed; null for words that stay. A sign such as `%` or `&` is removed with the word before it, or after it at the
 * beginning. Throws `captions_invalid`.
 * @param language Of the words, as a BCP 47 tag; null if unknown.
 */
export function removals(
  words: readonly TimedText[],
  input: Input,
  language: string | null,
): (RemovalReason | null)[] {
  const lettered = words.filter(hasLetters);
  const chosen = letteredRemovals(lettered, input, language);
  let passed = 0;
  return words.map((word) => {
    if (hasLetters(word)) return chosen[passed++] ?? null;
    if (isWithin(word, input.remove?.ranges ?? [])) return 'range';
    const reason = chosen[Math.max(0, passed - 1)] ?? null;
    return reason === 'range' ? null : reason;
  });
}

const hasLetters = ({ text }: TimedText) => bareText(text) !== '';

function isWithin({ start, end }: TimedText, ranges: readonly { start: number; end: number }[]): boolean {
  const middle = (start + end) / 2;
  return ranges.some((range) => middle >= range.start && middle < range.end);
}

/** The same of words with letters. */
function letteredRemovals(
  words: readonly TimedText[],
  { remove, keep_text }: Input,
  language: string | null,
): (RemovalReason | null)[] {
  const bare = words.map(({ text }) => bareText(text));
  const parts = divided(bare);
  const found: (RemovalReason | null)[] = words.map(() => null);
  const mark = (index: number, reason: RemovalReason) => {
    found[index] ??= reason;
  };
  if (keep_text !== undefined) {
    const stays = new Set(wordsKept(bare, parts, bareWords(keep_text)));
    for (const index of words.keys()) if (!stays.has(index)) mark(index, 'text');
  }
  if (!remove) return found;
  if (remove.fillers) {
    const inEnglish = isEnglish(language, bare);
    for (const [index, text] of bare.entries()) if (isFiller(text, inEnglish)) mark(index, 'filler');
  }
  const single = new Set(remove.words.map(bareText));
  for (const [index, text] of bare.entries()) if (single.has(text)) mark(index, 'word');
  for (const phrase of remove.phrases)
    for (const index of saidIn(parts, bareWords(phrase))) mark(index, 'phrase');
  for (const [index, word] of words.entries()) if (isWithin(word, remove.ranges)) mark(index, 'range');
  if (remove.repeats) markRepeats(words, bare, found, language);
  return found;
}

/** Indexes of the words that a text keeps. Throws `captions_invalid`. */
function wordsKept(bare: readonly string[], parts: Divided, wanted: readonly string[]): number[] {
  const kept = keptPlaces(bare, wanted);
  if ('places' in kept) return kept.places;
  const lettered = keptPlaces(parts.units, divided(wanted).units);
  const words = 'places' in lettered ? wholeWords(lettered.places, parts) : null;
  if (!words) throw new TaskFailure('captions_invalid', missingText(kept, bare.length));
  return words;
}

/** Indexes of the words of a phrase, wherever it is said and however it is divided there; without overlaps. */
function saidIn({ units, owners }: Divided, phrase: readonly string[]): number[] {
  const wanted = divided(phrase).units;
  const found: number[] = [];
  if (wanted.length === 0) return found;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < units.length; at++) {
    matched = extended(wanted, borders, matched, units[at]);
    if (matched < wanted.length) continue;
    const from = at - matched + 1;
    const [first = 0, last = 0] = [owners[from], owners[at]];
    const isWhole = owners[from - 1] !== first && owners[at + 1] !== last;
    if (isWhole) for (let word = first; word <= last; word++) found.push(word);
    matched = isWhole ? 0 : (borders[matched - 1] ?? 0);
  }
  return found;
}

/** For each unit of a phrase, the length of the longest beginning that ends there as well: Knuth, Morris and Pratt. */
function bordersOf(wanted: readonly string[]): number[] {
  const borders = [0];
  for (let at = 1; at < wanted.length; at++)
    borders.push(extended(wanted, borders, borders[at - 1] ?? 0, wanted[at]));
  return borders;
}

/** How many units of a phrase match up to the next unit of a text, where `matched` of them did before it. */
function extended(
  wanted: readonly string[],
  borders: readonly number[],
  matched: number,
  next: string | undefined,
): number {
  let length = matched;
  while (length > 0 && wanted[length] !== next) length = borders[length - 1] ?? 0;
  return wanted[length] === next ? length + 1 : length;
}

interface Divided {
  units: string[];
  /** By unit, the index of its word. */
  owners: number[];
  /** By word, how many units it has. */
  sizes: number[];
}

/** The words that have these units; null if there is a word of which only some are among them, which cannot be cut in two. */
function wholeWords(
  places: readonly number[],
  { owners, sizes }: Pick<Divided, 'owners' | 'sizes'>,
): number[] | null {
  const words = Map.groupBy(places, (place) => owners[place] ?? 0);
  return words.entries().every(([word, chosen]) => chosen.length === sizes[word]) ? [...words.keys()] : null;
}

/**
 * Words of scripts without spaces letter by letter, other words whole: where such a text is divided into words differs from one
 * recognizer to the next.
 */
function divided(bare: readonly string[]): Divided {
  const parts = bare.map((word) => (unspaced.test(word) ? graphemes(word) : [word]));
  return {
    units: parts.flat(),
    owners: parts.flatMap((units, index) => units.map(() => index)),
    sizes: parts.map(({ length }) => length),
  };
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
      if (
        size === 1 &&
        (isMeantTwice(bare[first[0] ?? 0] ?? '', language) || /\d/.test(bare[first[0] ?? 0] ?? ''))
      )
        continue;
      if (first.some(ends)) continue;
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
  const parts = divided(words.filter(hasLetters).map(({ text }) => bareText(text)));
  const said = new Set(words.map(({ text }) => bareText(text)));
  const single = [...(remove?.words ?? []), ...mask_words];
  return [
    ...single.filter((word) => !said.has(bareText(word))),
    ...(remove?.phrases ?? []).filter((phrase) => saidIn(parts, bareWords(phrase)).length === 0),
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
  const own = new Set(mask_words.map(bareText));
  const bare = words.map(({ text }) => bareText(text));
  const inEnglish = isEnglish(language, bare);
  return bare.map((word) => profanity !== 'none' && (own.has(word) || (inEnglish && isProfane(word))));
}
