type Kept = { places: number[] } | { missing: string; after: number };

/** Above this many pairs of equal words, each word is matched with the first one that follows. */
const MOST_PAIRS = 10_000_000;

/**
 * Finds the words of a shortened text in the text that it was made of, with as few gaps as possible. `missing` is the first word
 * that does not follow, `after` the number of words that do.
 */
export function keptPlaces(all: readonly string[], kept: readonly string[]): Kept {
  const greedy: number[] = [];
  let from = 0;
  for (const [after, word] of kept.entries()) {
    const at = all.indexOf(word, from);
    if (at === -1) return { missing: word, after };
    greedy.push(at);
    from = at + 1;
  }
  const places = Map.groupBy(all.keys(), (index) => all[index]);
  const pairs = kept.reduce((sum, word) => sum + (places.get(word)?.length ?? 0), 0);
  return { places: pairs > MOST_PAIRS ? greedy : leastGaps(kept, places) };
}

/** @param places Where each word stands, ascending. Every word of `kept` can be matched. */
function leastGaps(kept: readonly string[], places: ReadonlyMap<string | undefined, number[]>): number[] {
  /** By word of `kept`: for each of its places, the place of the word before in the best match; an index into its places. */
  const before: Int32Array[] = [];
  let [at, costs]: [readonly number[], Float64Array] = [[], new Float64Array()];
  for (const word of kept) {
    const own = places.get(word) ?? [];
    const [next, from] = [new Float64Array(own.length), new Int32Array(own.length).fill(-1)];
    let [passed, best] = [0, -1];
    for (const [index, place] of own.entries()) {
      // Of the places before this one, the last is judged as a neighbour and all as a jump.
      while (passed < at.length && (at[passed] ?? 0) < place) {
        if (best === -1 || (costs[passed] ?? 0) <= (costs[best] ?? 0)) best = passed;
        passed += 1;
      }
      const adjoins = passed > 0 && at[passed - 1] === place - 1;
      const jump = before.length === 0 ? 0 : best === -1 ? Number.POSITIVE_INFINITY : (costs[best] ?? 0) + 1;
      const stay = adjoins ? (costs[passed - 1] ?? 0) : Number.POSITIVE_INFINITY;
      next[index] = Math.min(jump, stay);
      from[index] = stay <= jump ? passed - 1 : best;
    }
    before.push(from);
    [at, costs] = [own, next];
  }
  let index = costs.indexOf(costs.reduce((least, cost) => Math.min(least, cost), Number.POSITIVE_INFINITY));
  const found: number[] = [];
  for (let word = kept.length - 1; word >= 0; word--) {
    found.push(places.get(kept[word])?.[index] ?? 0);
    index = before[word]?.[index] ?? 0;
  }
  return found.reverse();
}
