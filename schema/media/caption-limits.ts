/** Limits of captions and scripts. They bound time and memory, which grow linearly with the text. */
export const captionLimits = {
  /** Captions per text. */
  cues: 10_000,
  /** Characters per caption, without markup. */
  cueCharacters: 5000,
  /** Words per text: more than six hours of speech. */
  words: 60_000,
  /** Characters without a space. Chinese and other scripts without spaces are split into words first. */
  wordCharacters: 1000,
} as const;

const count = (value: number) => value.toLocaleString('en-US');

/** The limits as text for field descriptions. */
export const captionLimitsText = `At most ${count(captionLimits.words)} words, none longer than ${count(captionLimits.wordCharacters)} characters, and ${count(captionLimits.cues)} captions of ${count(captionLimits.cueCharacters)} characters each.`;

/** Which limit the captions exceed; null if none. */
export function captionExcess(captions: readonly string[]): string | null {
  const { cues, cueCharacters } = captionLimits;
  if (captions.length > cues)
    return `The text has ${count(captions.length)} captions; at most ${count(cues)} are allowed`;
  const long = captions.findIndex(({ length }) => length > cueCharacters);
  if (long === -1) return wordExcess(captions);
  const length = count(captions[long]?.length ?? 0);
  return `Caption ${long + 1} has ${length} characters; at most ${count(cueCharacters)} are allowed`;
}

/** Scripts without spaces between words. */
export const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Which word limit the texts exceed; null if none. */
export function wordExcess(texts: readonly string[]): string | null {
  const { words, wordCharacters } = captionLimits;
  let found = 0;
  for (const text of texts) {
    for (const [run] of text.matchAll(/\S+/g)) {
      found += 1;
      if (run.length <= wordCharacters) continue;
      const length = run.split(unspaced).reduce((most, part) => Math.max(most, part.length), 0);
      if (length <= wordCharacters) continue;
      return `A word has ${count(length)} characters; at most ${count(wordCharacters)} are allowed`;
    }
  }
  return found > words ? tooManyWords(found) : null;
}

export const tooManyWords = (found: number) =>
  `The text has ${count(found)} words; at most ${count(captionLimits.words)} are allowed`;
