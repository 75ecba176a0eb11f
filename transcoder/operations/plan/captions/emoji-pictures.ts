import type { OperationInput } from '../../../../schema/operations/index.ts';
import type { EmojiWord } from './emoji-words.ts';
import { type Passage, picturing } from './words.ts';

/** Seconds between emoji that we chose. */
const APART = 3;

/** With the emoji of the words that are said. @param chosen The words that `auto` knows. */
export function pictured(
  passages: readonly Passage[],
  emoji: OperationInput<'captions_auto'>['emoji'],
  chosen: readonly EmojiWord[],
): Passage[] {
  if (emoji === undefined) return [...passages];
  const rules =
    emoji === 'auto' ? chosen : Object.entries(emoji).map(([text, one]) => ({ text, emoji: one }));
  const change = picturing(rules);
  const found = passages.map((passage) => ({ ...passage, words: change(passage.words) }));
  return emoji === 'auto' ? sparse(found) : found;
}

/** Leaves out what follows another one too soon. */
function sparse(passages: readonly Passage[]): Passage[] {
  let last = Number.NEGATIVE_INFINITY;
  return passages.map(({ words, shown }) => ({
    shown,
    words: words.map(({ emoji, ...word }) => {
      if (emoji === undefined || word.start - last < APART) return word;
      last = word.start;
      return { ...word, emoji };
    }),
  }));
}
