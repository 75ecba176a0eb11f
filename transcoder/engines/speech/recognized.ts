import type { Recognized } from '../hosts/protocol.ts';
import type { HeardWord } from './script-align.ts';

/**
 * The words of the tokens of a transducer: a leading space or "▁" begins one. Each is as probable as its tokens are one
 * after the other: the product of their probabilities, without those of punctuation behind it, so that a doubtful comma
 * makes no doubtful word.
 */
export function wordsOfTokens({ tokens }: Recognized): HeardWord[] {
  const words: HeardWord[] = [];
  for (const { text, start, end, probability } of tokens) {
    const begins = /^[\s▁]/u.test(text);
    const letters = text.replaceAll('▁', '').trim();
    const last = words.at(-1);
    if (letters === '') continue;
    if (begins || !last) {
      words.push({
        ...{ text: letters, start, end: Math.max(start, end), piece: 0 },
        confidence: probability,
      });
    } else {
      if (/[\p{L}\p{N}]/u.test(letters)) last.confidence = both(last.confidence, probability);
      last.text += letters;
      last.end = Math.max(last.end, end);
    }
  }
  return words;
}

const both = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one * other;
