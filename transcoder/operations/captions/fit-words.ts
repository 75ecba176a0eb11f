import { graphemes } from '../../model/graphemes.ts';
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
  const texts: string[] = [];
  // Pieces of similar length: the width of letters changes little with their neighbours.
  const count = Math.min(letters.length, Math.ceil(widthOf(word.text) / room));
  for (let at = 0, piece = 0; piece < count; piece++) {
    const to = Math.round(((piece + 1) * letters.length) / count);
    texts.push(letters.slice(at, to).join(''));
    at = to;
  }
  const length = (word.end - word.start) / count;
  return texts.map((text, index) => ({
    ...word,
    text,
    glued: index > 0 || word.glued,
    start: word.start + index * length,
    end: word.start + (index + 1) * length,
  }));
}
