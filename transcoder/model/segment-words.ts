import { unspaced } from '../../schema/media/caption-limits.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const opens = /^[\p{Ps}\p{Pi}]+$/u;

/** Characters of a word with no-break spaces. A longer text has them in place of ordinary spaces. */
const LONGEST_JOINED = 30;

/** Splits a text into words; punctuation stays with the preceding word, and no-break spaces divide none, as in `10 000`. */
export function wordsOfText(text: string): { text: string; glued: boolean }[] {
  return text
    .split(/[^\S\u00a0\u202f]+/)
    .flatMap((token) =>
      token.length > LONGEST_JOINED || unspaced.test(token) ? token.split(/\s+/) : token.trim(),
    )
    .filter((each) => each !== '')
    .flatMap((token) => (unspaced.test(token) ? segmented(token) : [{ text: token, glued: false }]));
}

/** The words of a text to compare, where no-break spaces are ordinary ones. */
export const wordsToCompare = (text: string) => wordsOfText(text.replace(/\s+/g, ' '));

/**
 * Span of a word's letters with their marks and digits, without the surrounding punctuation; null if it has none.
 * @param more Other characters that count as part of the word.
 */
export function bareSpan(text: string, more = ''): { from: number; to: number } | null {
  let [from, to, at] = [-1, 0, 0];
  for (const character of text) {
    const letter = spoken.test(character) || (to > 0 && to === at && mark.test(character));
    if (letter && from === -1) from = at;
    at += character.length;
    if (letter || more.includes(character)) to = at;
  }
  return from === -1 ? null : { from, to };
}

/** Whether a word follows another without a space, because both are in scripts that have none. */
export function isGlued(before: string, text: string): boolean {
  const [ended, begun] = [bareSpan(before), bareSpan(text)];
  if (!ended || !begun) return false;
  const last = [...before.slice(ended.from, ended.to)].at(-1) ?? '';
  return unspaced.test(last) && unspaced.test(String.fromCodePoint(text.codePointAt(begun.from) ?? 0));
}

const spoken = /[\p{L}\p{N}]/u;
/** Vowel signs and accents behind a letter. */
const mark = /\p{M}/u;

function segmented(token: string): { text: string; glued: boolean }[] {
  const parts: { text: string; glued: boolean }[] = [];
  // Whether the last part consists only of opening brackets and quotes, which belong to the next word.
  let opened = false;
  for (const { segment, isWordLike } of segmenter.segment(token)) {
    const last = parts.at(-1);
    const opening = opens.test(segment);
    if (last && (opened || (!isWordLike && !opening))) last.text += segment;
    else parts.push({ text: segment, glued: parts.length > 0 });
    opened = opening && (opened || parts.at(-1) !== last);
  }
  return parts;
}
