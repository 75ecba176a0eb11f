import { setImmediate } from 'node:timers/promises';

/** A recognized word, with times in seconds and the piece of sound it is in. */
export interface HeardWord {
  text: string;
  start: number;
  end: number;
  piece: number;
  /** Whether it follows the previous word without a space; absent for no. */
  glued?: boolean;
  /** From 0 to 1; null if the engine does not report it. */
  confidence: number | null;
}

/** Half-width of the alignment band around the diagonal, in words, unless the numbers of words differ by more. */
const BAND = 1500;
/** A band has at most this many pairs of words, each of which takes a byte. */
const MOST_PAIRS = 200_000_000;
/** Pairs after which others have their turn: some milliseconds. */
const AT_ONCE = 500_000;

/** By word of a script. */
type Matches = ({ heard: number; same: boolean } | null)[];

const BOTH = 1;
const SCRIPT = 2;
const HEARD = 3;

/**
 * Aligns the spoken words of a script with the recognized words: for each, the index of its counterpart and whether
 * they are equal, or null. Minimizes missing, added and different words by dynamic programming. Throws the reason of `signal`.
 */
export async function alignScript(
  script: readonly string[],
  heard: readonly string[],
  signal?: AbortSignal,
): Promise<Matches> {
  const [rows, columns] = [script.length, heard.length];
  const slope = rows === 0 ? 0 : columns / rows;
  const band = bandOf(rows, columns);
  const firstOf = (row: number) => Math.max(0, Math.floor(row * slope) - band);
  const lastOf = (row: number) => Math.min(columns, Math.ceil(row * slope) + band);
  const steps: Uint8Array[] = [];
  const ids = numbered(script);
  const known = heard.map((word) => ids.get(word) ?? -1);
  const asked = script.map((word) => ids.get(word) ?? -1);
  let [before, offset] = [new Float64Array(0), 0];
  let pairs = 0;
  for (let row = 0; row <= rows; row++) {
    const [first, last] = [firstOf(row), lastOf(row)];
    pairs += last - first + 1;
    if (pairs > AT_ONCE) {
      pairs = 0;
      await setImmediate();
      signal?.throwIfAborted();
    }
    const costs = new Float64Array(last - first + 1);
    const taken = new Uint8Array(last - first + 1);
    for (let column = first; column <= last; column++) {
      if (row === 0 && column === 0) {
        costs[0] = 0;
        continue;
      }
      const same = asked[row - 1] === known[column - 1];
      const both = (before[column - 1 - offset] ?? Number.POSITIVE_INFINITY) + (same ? 0 : 1.2);
      const alone = (before[column - offset] ?? Number.POSITIVE_INFINITY) + 1;
      const extra = (column > first ? (costs[column - 1 - first] ?? 0) : Number.POSITIVE_INFINITY) + 1;
      const least = Math.min(both, alone, extra);
      costs[column - first] = least;
      taken[column - first] = least === both ? BOTH : least === alone ? SCRIPT : HEARD;
    }
    steps.push(taken);
    [before, offset] = [costs, first];
  }
  const result: Matches = script.map(() => null);
  for (let [row, column] = [rows, columns]; row > 0 || column > 0; ) {
    const step = steps[row]?.[column - firstOf(row)];
    if (step === BOTH) {
      row -= 1;
      column -= 1;
      result[row] = { heard: column, same: script[row] === heard[column] };
    } else if (step === SCRIPT) row -= 1;
    else column -= 1;
  }
  return result;
}

/** Half-width of the band, in words: as wide as a script of a part of the speech needs, as far as memory allows. */
export function bandOf(rows: number, columns: number): number {
  const affordable = Math.floor(MOST_PAIRS / (2 * Math.max(1, rows)));
  const wanted = Math.max(BAND, Math.abs(rows - columns));
  // Each row has to adjoin the one before it.
  const least = Math.ceil(columns / Math.max(1, rows));
  return Math.max(least, Math.min(wanted, affordable));
}

const numbered = (words: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...new Set(words)].map((word, id) => [word, id]));

/** The words of a script that belong to a piece of sound, `to` exclusive. */
interface Share {
  piece: number;
  from: number;
  to: number;
}

/** How far around a boundary of pieces to look for the end of a sentence, in words. */
const NEAR = 4;

/**
 * Assigns the words of a script to pieces, based on the words recognized in each. If a boundary falls among words that
 * were not recognized, it is placed at the end of a sentence.
 * @param ends Whether a sentence ends after a word.
 */
export function shared(
  matches: Readonly<Matches>,
  heard: readonly HeardWord[],
  ends: (word: number) => boolean,
): Share[] {
  const shares: Share[] = [];
  for (const [word, match] of matches.entries()) {
    const last = shares.at(-1);
    const piece = match ? (heard[match.heard]?.piece ?? 0) : (last?.piece ?? 0);
    if (last && piece <= last.piece) last.to = word + 1;
    else
      shares.push({
        piece: match || last ? piece : (heard[0]?.piece ?? 0),
        from: last ? word : 0,
        to: word + 1,
      });
  }
  for (const [index, share] of shares.entries()) {
    const next = shares[index + 1];
    if (!next) continue;
    const sure = (word: number) => matches[word]?.same === true;
    let [low, high] = [next.from, next.from];
    while (low > Math.max(share.from + 1, next.from - NEAR) && !sure(low - 1)) low -= 1;
    while (high < Math.min(next.to - 1, next.from + NEAR) && !sure(high)) high += 1;
    const ending = Array.from({ length: high - low + 1 }, (_, at) => low + at).filter((at) => ends(at - 1));
    const [nearest] = ending.sort((a, b) => Math.abs(a - next.from) - Math.abs(b - next.from));
    if (nearest === undefined) continue;
    share.to = nearest;
    next.from = nearest;
  }
  return shares;
}
