import type { Expected } from '../../schema/task/wire.ts';

/** What was seen of one kind of work, as sums over its tasks in which older ones count less and less. */
export interface Pace {
  readonly weight: number;
  readonly source: number;
  readonly processing: number;
  readonly sourceSquared: number;
  readonly product: number;
}

/** How much a task counts after one more of its kind: the last twenty or so decide. */
const KEPT = 0.95;

const none: Pace = { weight: 0, source: 0, processing: 0, sourceSquared: 0, product: 0 };

/** What is known after one more task, of so many seconds of sources and of processing. */
export function learnt(pace: Pace = none, source: number, processing: number): Pace {
  return {
    weight: pace.weight * KEPT + 1,
    source: pace.source * KEPT + source,
    processing: pace.processing * KEPT + processing,
    sourceSquared: pace.sourceSquared * KEPT + source * source,
    product: pace.product * KEPT + source * processing,
  };
}

/** How long such work may be expected to take: a line through what was seen, which neither falls nor begins below 0. */
export function expectedOf({ weight, source, processing, sourceSquared, product }: Pace): Expected {
  const typical = processing / weight;
  const spread = weight * sourceSquared - source * source;
  // Sources of one length say nothing of others: they take what they have taken.
  const varied = spread > 1e-3 * source * source;
  const slope = varied ? Math.max(0, (weight * product - source * processing) / spread) : 0;
  const fixed = (processing - slope * source) / weight;
  return fixed >= 0
    ? { typical_seconds: typical, fixed_seconds: fixed, per_source_second: slope }
    : { typical_seconds: typical, fixed_seconds: 0, per_source_second: processing / source };
}
