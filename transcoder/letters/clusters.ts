import { isEmoji } from '../../schema/media/emoji.ts';
import { graphemes } from '../model/graphemes.ts';

export interface Grapheme {
  from: number;
  to: number;
  text: string;
  emoji: boolean;
}

/** Divides a text into what cannot be divided further. */
export function graphemesOf(text: string): Grapheme[] {
  let to = 0;
  return graphemes(text).map((one) => {
    const from = to;
    to += one.length;
    return { from, to, text: one, emoji: isEmoji(one) };
  });
}
