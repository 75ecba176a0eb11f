import type { Recognized } from '../hosts/protocol.ts';
import type { HeardWord } from './script-align.ts';

/** The words of the tokens of a transducer: a leading space or "▁" begins one. */
export function wordsOfTokens({ tokens }: Recognized): HeardWord[] {
  const words: HeardWord[] = [];
  for (const { text, start, end } of tokens) {
    const begins = /^[\s▁]/u.test(text);
    const letters = text.replaceAll('▁', '').trim();
    const last = words.at(-1);
    if (letters === '') continue;
    if (begins || !last) words.push({ text: letters, start, end: Math.max(start, end), piece: 0 });
    else {
      last.text += letters;
      last.end = Math.max(last.end, end);
    }
  }
  return words;
}
