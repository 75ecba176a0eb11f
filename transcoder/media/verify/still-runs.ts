/** A packet of a result: the second at which its frame is shown, and its size. */
export interface Sized {
  time: number;
  bytes: number;
  key: boolean;
}

/** A frame that repeats the one before takes less than this share of what others take. */
const SMALL = 0.25;
/** So many in a row are looked at. */
const FEWEST = 3;
/** The longest so many runs of them. */
const MOST_RUNS = 4;

/** When frames are shown that may be those before them once more: none of their packets has a picture of its own to code. */
export function stillRuns(packets: readonly Sized[]): number[] {
  const shown = packets.toSorted((a, b) => a.time - b.time);
  const sizes = shown.flatMap(({ bytes, key }) => (key ? [] : [bytes])).sort((a, b) => a - b);
  const small = (sizes[Math.floor(sizes.length * 0.75)] ?? 0) * SMALL;
  const runs: { at: number; length: number }[] = [];
  let length = 0;
  for (const [at, { bytes, key }] of shown.entries()) {
    length = !key && bytes <= small ? length + 1 : 0;
    if (length === FEWEST) runs.push({ at: at - FEWEST + 1, length });
    const last = runs.at(-1);
    if (last && length > FEWEST) last.length = length;
  }
  return runs
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_RUNS)
    .flatMap(({ at, length }) => shown[at + (length >> 1)]?.time ?? []);
}
