import type { Plan } from '../../model/plan.ts';
import { micros } from './require-streams.ts';
import { withSpans } from './spans.ts';

type Kept = Plan['time_map'][number]['in'];

/** What callers are told of a plan: how each part is made, durations in microseconds and frame rates in 1/1000. */
export const told = (plan: Plan): Plan => rounded(withSpans(plan));

function rounded(plan: Plan): Plan {
  const { duration, fps, otherwise } = plan;
  const span = ([from, to]: Kept): Kept => [micros(from), micros(to)];
  return {
    ...plan,
    ...(otherwise ? { otherwise: rounded(otherwise) } : {}),
    duration: duration === null ? null : micros(duration),
    fps: fps === null ? null : Math.round(fps * 1000) / 1000,
    time_map: plan.time_map.map((kept) => ({ ...kept, in: span(kept.in), out: span(kept.out) })),
  };
}
