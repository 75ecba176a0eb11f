/** Most characters of a stranger's text that are kept. */
const LONGEST = 200;

/** A stranger's text on one line; null if nothing of it can be shown. */
export function lineOf(text: string): string | null {
  const line = text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    // A character that is cut in two.
    .replace(/[\uD800-\uDBFF\uFFFD]$/u, '')
    .trim();
  return line === '' ? null : line;
}
