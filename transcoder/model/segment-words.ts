import { unspaced } from '../../schema/media/caption-limits.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const opens = /^[\p{Ps}\p{Pi}]+$/u;

/** The words of a text; punctuation stays with the word before it. */
export function wordsOfText(text: string): { text: string; glued: boolean }[] {
  return text
    .split(/\s+/)
    .filter((each) => each !== '')
    .flatMap((token) => (unspaced.test(token) ? segmented(token) : [{ text: token, glued: false }]));
}

/**
 * Where the letters and digits of a word begin and end, without the punctuation around them; null if it has none.
 * @param more Other characters that count.
 */
export function bareSpan(text: string, more = ''): { from: number; to: number } | null {
  let [from, to, at] = [-1, 0, 0];
  for (const character of text) {
    const letter = spoken.test(character);
    if (letter && from === -1) from = at;
    at += character.length;
    if (letter || more.includes(character)) to = at;
  }
  return from === -1 ? null : { from, to };
}

const spoken = /[\p{L}\p{N}]/u;

function segmented(token: string): { text: string; glued: boolean }[] {
  const parts: { text: string; glued: boolean }[] = [];
  // Whether the last part is opening brackets and quotes alone, which belong to what follows.
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
