const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/** Scripts that put no space between words. */
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The words of a text; punctuation stays with the word before it. */
export function wordsOfText(text: string): { text: string; glued: boolean }[] {
  return text
    .split(/\s+/)
    .filter((each) => each !== '')
    .flatMap((token) => {
      if (!unspaced.test(token)) return [{ text: token, glued: false }];
      const parts: { text: string; glued: boolean }[] = [];
      for (const { segment, isWordLike } of segmenter.segment(token)) {
        const last = parts.at(-1);
        if (last && !isWordLike && !opens.test(segment)) last.text += segment;
        else if (last && opens.test(last.text)) last.text += segment;
        else parts.push({ text: segment, glued: parts.length > 0 });
      }
      return parts;
    });
}

const opens = /^[\p{Ps}\p{Pi}]+$/u;
