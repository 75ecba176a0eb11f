import { graphemes } from '../model/graphemes.ts';

const picture = /^\p{RGI_Emoji}$/v;
/** With text presentation by default, such as U+2764, but asked to be a picture or always seen as one. */
const asPicture = /^\p{Extended_Pictographic}\u{FE0F}$/u;

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
    return { from, to, text: one, emoji: picture.test(one) || asPicture.test(one) };
  });
}
