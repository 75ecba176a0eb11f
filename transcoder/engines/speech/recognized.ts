import type { Recognized } from '../hosts/protocol.ts';
import type { HeardWord } from './script-align.ts';

/**
 * Joins the tokens of a transducer into words: a leading space or "▁" begins one. The confidence of a word is the
 * product of its tokens' probabilities, without trailing punctuation: an uncertain comma does not make the word
 * uncertain.
 */
export function wordsOfTokens({ tokens }: Recognized): HeardWord[] {
  const words: HeardWord[] = [];
  let begins = false;
  for (const { text, start, end, probability } of tokens) {
    // A beginning may be a token of its own, if the vocabulary has none with the first letter.
    begins ||= /^[\s▁]/u.test(text);
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
    begins = false;
  }
  return words;
}

const both = (one: number | null, other: number | null) =>
  one === null || other === null ? null : one * other;
