/** Names that differ by more than this share of their letters are no typing mistake. */
const MOST = 0.4;

export function nearest(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((known) => ({ known, away: distance(name, known) / Math.max(name.length, known.length) }))
    .filter(({ away }) => away <= MOST)
    .sort((a, b) => a.away - b.away);
  return best?.known;
}

/** Edits between two names, where two letters in the wrong order are one edit. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  let above: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (above[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    above = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
