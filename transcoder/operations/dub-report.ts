import type { Plan } from '../media/plan.ts';
import { MIX_RATE } from './dub-mix.ts';
import { micros } from './source.ts';

/**
 * The report of a dub beside that of its picture, in the plan and in the one behind it.
 * @param samples Of the new sound.
 */
export function reported(plan: Plan, samples: number, data: Record<string, unknown>): Plan {
  const { otherwise, duration } = plan;
  const drift = samples / MIX_RATE - (duration ?? 0);
  return {
    ...plan,
    ...(otherwise ? { otherwise: reported(otherwise, samples, data) } : {}),
    data: { ...plan.data, ...data, drift_ms: micros(drift * 1000) },
  };
}
