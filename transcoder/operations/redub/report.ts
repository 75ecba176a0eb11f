import type { Plan } from '../../model/plan.ts';
import { alike } from '../plan/changed-plan.ts';
import { MIX_RATE } from '../plan/raw-audio.ts';
import { micros } from '../plan/require-streams.ts';

/**
 * Adds the report of a dub to a plan and its fallback. Null values are measured while the sound is made.
 * @param samples Of the new sound.
 */
export function reported(plan: Plan, samples: number, data: Record<string, unknown>): Plan {
  const unmeasured = { gain_db: null, loudness_lufs: null, true_peak_db: null };
  return alike(plan, (each) => {
    const drift = samples / MIX_RATE - (each.duration ?? 0);
    return { ...each, data: { ...each.data, ...data, ...unmeasured, drift_ms: micros(drift * 1000) } };
  });
}
