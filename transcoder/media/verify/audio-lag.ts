/** Samples of a passage of the result, and the matching samples of the source with a margin on both sides. */
interface Heard {
  made: Float32Array;
  /** Begins `beside` samples before the matching passage and ends `beside` samples after it. */
  from: Float32Array;
  beside: number;
}

export interface Lag {
  /** Samples by which the result is later than its source. */
  samples: number;
  /** Normalized correlation at that lag; 1 is identical except for loudness. */
  likeness: number;
  /** The highest correlation within the allowed lag. */
  due: number;
}

/** RMS below which a passage counts as silent; 1 is full scale. */
const SILENT = 1e-3;

/**
 * Locates a passage in the source by normalized cross-correlation (J. P. Lewis, Fast Normalized Cross-Correlation, 1995).
 * @param near Allowed lag in samples. @returns null if either is silent.
 */
export function soundLag({ made, from, beside }: Heard, near: number): Lag | null {
  const energy = energyOf(made, 0, made.length);
  if (energy < SILENT * SILENT * made.length) return null;
  let best: Lag | null = null;
  let due = 0;
  let passing = energyOf(from, 0, made.length);
  for (let begin = 0; begin <= 2 * beside && begin + made.length <= from.length; begin++) {
    const samples = beside - begin;
    const likeness = passing > 0 ? dot(made, from, begin) / Math.sqrt(energy * passing) : 0;
    if (!best || likeness > best.likeness) best = { samples, likeness, due };
    if (Math.abs(samples) <= near) due = Math.max(due, likeness);
    passing += (from[begin + made.length] ?? 0) ** 2 - (from[begin] ?? 0) ** 2;
  }
  return best && { ...best, due };
}

function energyOf(sound: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += (sound[at] ?? 0) ** 2;
  return sum;
}

function dot(made: Float32Array, from: Float32Array, begin: number): number {
  let sum = 0;
  for (let at = 0; at < made.length; at++) sum += (made[at] ?? 0) * (from[begin + at] ?? 0);
  return sum;
}
