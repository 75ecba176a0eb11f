import type { OperationInput } from '../../../../schema/operations/index.ts';
import type { TimedText } from './choose-words.ts';
import { bareText } from './spelled.ts';

type Input = Pick<OperationInput<'edit_by_text'>, 'remove' | 'mask_words'>;

/**
 * Divides words that no-break spaces join, such as `M. Dupont`, so each part can be removed or masked. Words that the request names as
 * a whole stay, such as `10 000`. The parts share the time by their letters.
 */
export function partsOfJoined(words: readonly TimedText[], { remove, mask_words }: Input): TimedText[] {
  const named = new Set([...(remove?.words ?? []), ...mask_words].map(bareText));
  return words.flatMap((word) => {
    const parts = partsOf(word.text);
    return parts.length < 2 || named.has(bareText(word.text)) ? [word] : spread(parts, word);
  });
}

/** Between no-break spaces; signs stay with the part before them, and share its time. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let lettered = false;
  for (const piece of text.match(/[\u00a0\u202f]*[^\u00a0\u202f]+/g) ?? []) {
    const isWord = /[\p{L}\p{N}]/u.test(piece);
    if (parts.length === 0 || (isWord && lettered)) parts.push(piece.trim());
    else parts[parts.length - 1] += piece;
    lettered ||= isWord;
  }
  return parts;
}

function spread(parts: readonly string[], { start, end }: TimedText): TimedText[] {
  const all = parts.reduce((sum, { length }) => sum + length, 0);
  let passed = 0;
  return parts.map((text) => {
    const begins = start + ((end - start) * passed) / all;
    passed += text.length;
    return { text, start: begins, end: start + ((end - start) * passed) / all };
  });
}
