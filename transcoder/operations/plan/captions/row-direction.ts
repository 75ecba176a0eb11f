/** Scripts that are written from right to left. */
export const rightToLeft = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}]/u;

/** Marks of direction, which count as letters. */
const [LEFT_TO_RIGHT, RIGHT_TO_LEFT] = ['\u200e', '\u200f'];
const letters = /[\p{L}\u200e\u200f]/gu;

/** Of each letter, the mark of its direction. */
const directionsOf = (text: string) =>
  [...text.matchAll(letters)].map(([letter]) =>
    letter === RIGHT_TO_LEFT || rightToLeft.test(letter) ? RIGHT_TO_LEFT : LEFT_TO_RIGHT,
  );

/**
 * The rows of a text, with a mark before those that would be taken for a text of the other direction. libass goes by the first letter of
 * each row; by UAX #9 (P2), that of the text counts. A row without letters of that direction may be a text of its own, and stays as it is.
 */
export function directed(rows: readonly string[]): string[] {
  const [own = LEFT_TO_RIGHT] = directionsOf(rows.join(' '));
  return rows.map((row) => {
    const found = directionsOf(row);
    const [first = LEFT_TO_RIGHT] = found;
    const belongs = found.length === 0 || found.includes(own);
    return first !== own && belongs ? `${own}${row}` : row;
  });
}
