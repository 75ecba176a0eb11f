/**
 * Costs of substituting one sound for another, and of an extra or missing sound. Letters can be used in place of
 * sounds.
 */
export interface SoundCosts {
  substitution: (one: string, other: string) => number;
  omission: (sound: string) => number;
}

export interface SoundedWord {
  sounds: readonly string[];
  /** Whether a pause precedes it. Terms do not span pauses. */
  apart: boolean;
}

/** Words that sound like a term, `to` exclusive, and the cost of the match. */
interface Likeness {
  from: number;
  to: number;
  cost: number;
}

/**
 * Finds where a term may have been said: for each word, the cheapest run of words that ends with it and costs at most
 * `limit`. Approximate substring matching in one pass (P. H. Sellers, The theory and computation of evolutionary
 * distances, Journal of Algorithms 1, 1980), applied word by word. Correcting recognition by the phonetic distance to
 * known terms follows D. Campos-Sobrino et al., Fixing errors of the Google voice recognizer through phonetic distance
 * metrics, 2021, arXiv:2102.09680.
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
      // Backwards, because each row needs the value of the row above for the previous sound.
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

/** Advances in the term without consuming a sound. */
function carryOn(column: Float64Array, starts: Int32Array, lost: readonly number[]): void {
  for (let row = 1; row < column.length; row++) {
    const carried = (column[row - 1] ?? 0) + (lost[row - 1] ?? 0);
    if (carried >= (column[row] ?? 0)) continue;
    column[row] = carried;
    starts[row] = starts[row - 1] ?? 0;
  }
}
