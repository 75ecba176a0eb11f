/** A packet of a result: its presentation time in seconds and its size. */
export interface Sized {
  time: number;
  bytes: number;
  key: boolean;
}

/** A packet that repeats the previous frame is smaller than this share of typical packets. */
const SMALL = 0.25;
/** Shorter runs are ignored. */
const FEWEST = 3;
/** Only the longest runs are checked. */
const MOST_RUNS = 4;

/** Times of frames that may merely repeat the previous one: their packets are too small to code a new picture. */
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
