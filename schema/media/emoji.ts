const picture = /^\p{RGI_Emoji}$/v;
/** With text presentation by default, such as U+2764, but asked to be a picture or always seen as one. */
const asPicture = /^\p{Extended_Pictographic}\u{FE0F}$/u;

/** Whether a text is one emoji, as a grapheme that is drawn as a picture. */
export const isEmoji = (text: string): boolean => picture.test(text) || asPicture.test(text);
