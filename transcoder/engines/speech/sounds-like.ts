/** What it costs that one sound stands for another, and that one is too many or missing. Letters may stand for sounds. */
export interface SoundCosts {
  substitution: (one: string, other: string) => number;
  omission: (sound: string) => number;
}

/** A word by its sounds. */
export interface SoundedWord {
  sounds: readonly string[];
  /** Whether there is a pause before it, over which nothing is said as one. */
  apart: boolean;
}

/** Words from `from` up to `to` that sound like a term, and the cost at which they do. */
export interface Likeness {
  from: number;
  to: number;
  cost: number;
}

/**
 * Where a term may have been said: for each word the cheapest run of words that ends with it, if that costs at most `limit`.
 * Edit distance of a pattern to all parts of a text in one pass (P. H. Sellers, The theory and computation of evolutionary
 * distances, Journal of Algorithms 1, 1980), here from word to word. To correct recognition by the distance of phones to
 * terms that are known is of D. Campos-Sobrino et al., Fixing errors of the Google voice recognizer through phonetic
 * distance metrics, 2021, arXiv:2102.09680.
 */
export function likenesses(
  term: readonly string[],
  words: readonly SoundedWord[],
  { substitution, omission }: SoundCosts,
  limit: number,
): Likeness[] {
  const lost = term.map(omission);
  const swaps = new Map<string, Float64Array>();
  const swapsOf = (sound: string) => {
    const known = swaps.get(sound);
    if (known) return known;
    const costs = Float64Array.from(term, (own) => substitution(own, sound));
    swaps.set(sound, costs);
    return costs;
  };
  const last = term.length;
  const column = new Float64Array(last + 1).fill(Number.POSITIVE_INFINITY);
  const starts = new Int32Array(last + 1);
  const found: Likeness[] = [];
  for (const [index, { sounds, apart }] of words.entries()) {
    if (apart) column.fill(Number.POSITIVE_INFINITY);
    column[0] = 0;
    starts[0] = index;
    carryOn(column, starts, lost);
    for (const sound of sounds) {
      const swap = swapsOf(sound);
      const added = omission(sound);
      // From the end, so that the row above is still that of the sound before.
      for (let row = last; row > 0; row--) {
        const swapped = (column[row - 1] ?? 0) + (swap[row - 1] ?? 0);
        column[row] = (column[row] ?? 0) + added;
        if (swapped > (column[row] ?? 0)) continue;
        column[row] = swapped;
        starts[row] = starts[row - 1] ?? 0;
      }
      column[0] = (column[0] ?? 0) + added;
      carryOn(column, starts, lost);
    }
    const cost = column[last] ?? Number.POSITIVE_INFINITY;
    if (cost <= limit) found.push({ from: starts[last] ?? 0, to: index + 1, cost });
  }
  return found;
}

/** Goes on in the term without a sound of the words. */
function carryOn(column: Float64Array, starts: Int32Array, lost: readonly number[]): void {
  for (let row = 1; row < column.length; row++) {
    const carried = (column[row - 1] ?? 0) + (lost[row - 1] ?? 0);
    if (carried >= (column[row] ?? 0)) continue;
    column[row] = carried;
    starts[row] = starts[row - 1] ?? 0;
  }
}
