/** Words and how they are spelled so that they sound right. */
export type Pronunciations = Readonly<Record<string, string>>;

/** The text with words spelled as they are to sound. */
export function pronounced(text: string, pronunciations: Pronunciations): string {
  const words = Object.keys(pronunciations).sort((a, b) => b.length - a.length);
  if (words.length === 0) return text;
  const spelled = new Map(words.map((word) => [word.toLowerCase(), pronunciations[word] ?? word]));
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const whole = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${any})(?![\p{L}\p{N}])`, 'giu');
  return text.replace(whole, (word) => spelled.get(word.toLowerCase()) ?? word);
}

/**
 * Whether there is anything to say, as it is pronounced: a letter or a digit. Of a lone symbol, such as $ or ♪, one engine makes a word
 * and the next one silence.
 */
export const isSayable = (text: string, pronunciations: Pronunciations = {}) =>
  /[\p{L}\p{N}]/u.test(pronounced(text, pronunciations));
