import { graphemes } from '../../../model/graphemes.ts';
import type { CaptionWord, Passage } from './words.ts';

/**
 * Divides the words that are wider than a line into pieces that fit, each for a share of the time.
 * @param widthOf In the unit of `room`.
 */
export function fitWords(
  passages: readonly Passage[],
  room: number,
  widthOf: (text: string) => number,
): Passage[] {
  return passages.map(({ words, shown }) => ({
    shown,
    words: words.flatMap((word) => (widthOf(word.text) > room ? pieces(word, room, widthOf) : [word])),
  }));
}

function pieces(word: CaptionWord, room: number, widthOf: (text: string) => number): CaptionWord[] {
  const letters = graphemes(word.text);
  let count = Math.min(letters.length, Math.ceil(widthOf(word.text) / room));
  let texts = inPieces(letters, count);
  // A piece with wide letters can be wider than its share.
  while (count < letters.length && texts.some((text) => widthOf(text) > room)) {
    count = Math.min(letters.length, Math.ceil(count * 1.1 + 0.5));
    texts = inPieces(letters, count);
  }
  const length = (word.end - word.start) / count;
  const { emoji, ...rest } = word;
  return texts.map((text, index) => ({
    ...rest,
    ...(emoji === undefined || index > 0 ? {} : { emoji }),
    text,
    glued: index > 0 || word.glued,
    start: word.start + index * length,
    end: word.start + (index + 1) * length,
  }));
}

/** Pieces of a similar number of letters. */
const inPieces = (letters: readonly string[], count: number) =>
  Array.from({ length: count }, (_, piece) => {
    const at = (share: number) => Math.round((share * letters.length) / count);
    return letters.slice(at(piece), at(piece + 1)).join('');
  });
