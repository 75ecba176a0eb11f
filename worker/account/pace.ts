import type { Expected } from '../../schema/task/wire.ts';

/** Weighted sums over the tasks of one kind; older tasks count less. */
export interface Pace {
  readonly weight: number;
  readonly source: number;
  readonly processing: number;
  readonly sourceSquared: number;
  readonly product: number;
}

/** Decay per task: about the last twenty tasks dominate. */
const KEPT = 0.95;

const none: Pace = { weight: 0, source: 0, processing: 0, sourceSquared: 0, product: 0 };

/** Adds one task with its seconds of sources and of processing. */
export function withTask(pace: Pace = none, source: number, processing: number): Pace {
  return {
    weight: pace.weight * KEPT + 1,
    source: pace.source * KEPT + source,
    processing: pace.processing * KEPT + processing,
    sourceSquared: pace.sourceSquared * KEPT + source * source,
    product: pace.product * KEPT + source * processing,
  };
}

/** Expected duration: a linear fit that never decreases and never starts below 0. */
export function expectedOf({ weight, source, processing, sourceSquared, product }: Pace): Expected {
  const typical = processing / weight;
  const spread = weight * sourceSquared - source * source;
  // Sources of equal length cannot be fitted with a line; use their mean.
  const varied = spread > 1e-3 * source * source;
  const slope = varied ? Math.max(0, (weight * product - source * processing) / spread) : 0;
  const fixed = (processing - slope * source) / weight;
  return fixed >= 0
    ? { typical_seconds: typical, fixed_seconds: fixed, per_source_second: slope }
    : { typical_seconds: typical, fixed_seconds: 0, per_source_second: processing / source };
}
