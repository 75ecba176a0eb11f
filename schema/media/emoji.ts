const picture = /^\p{RGI_Emoji}$/v;
/** With text presentation by default, such as U+2764, but asked to be a picture or always seen as one. */
const asPicture = /^\p{Extended_Pictographic}\u{FE0F}$/u;

/** Whether a text is one emoji, as a grapheme that is drawn as a picture. */
export const isEmoji = (text: string): boolean => picture.test(text) || asPicture.test(text);

/** Languages in which words have emoji of their own, as ISO 639-1 codes. */
export const emojiLanguages: readonly string[] =
  'bg cs da de el en es et fi fr hr hu it lt lv mt nl pl pt ro ru sk sl sv uk'.split(' ');
