import type { Plan } from '../../model/plan.ts';
import { micros } from './require-streams.ts';

type Kept = Plan['time_map'][number]['in'];

/** Rounds durations to microseconds and frame rates to 1/1000 for the response. */
export function told(plan: Plan): Plan {
  const { duration, fps, otherwise } = plan;
  const span = ([from, to]: Kept): Kept => [micros(from), micros(to)];
  return {
    ...plan,
    ...(otherwise ? { otherwise: told(otherwise) } : {}),
    duration: duration === null ? null : micros(duration),
    fps: fps === null ? null : Math.round(fps * 1000) / 1000,
    time_map: plan.time_map.map((kept) => ({ ...kept, in: span(kept.in), out: span(kept.out) })),
  };
}
