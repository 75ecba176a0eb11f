import type { OperationInput } from '../../../../schema/operations/index.ts';
import type { TimedText } from './choose-words.ts';
import { bareText } from './spelled.ts';

type Input = Pick<OperationInput<'edit_by_text'>, 'remove' | 'mask_words'>;

/** No-break spaces between letters or digits; signs stay with the word before them, and share its time. */
const between = /[\u00a0\u202f]+(?<=[\p{L}\p{N}].*)(?=[^\s\p{L}\p{N}]*[\p{L}\p{N}])/su;

/**
 * Divides words that no-break spaces join, such as `M. Dupont`, so each part can be removed or masked. Words that the request names as
 * a whole stay, such as `10 000`. The parts share the time by their letters.
 */
export function partsOfJoined(words: readonly TimedText[], { remove, mask_words }: Input): TimedText[] {
  const named = new Set([...(remove?.words ?? []), ...mask_words].map(bareText));
  return words.flatMap((word) => {
    const parts = word.text.split(between);
    return parts.length === 1 || named.has(bareText(word.text)) ? [word] : spread(parts, word);
  });
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
