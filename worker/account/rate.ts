import type { Plan } from '../../schema/api/plans.ts';

/**
 * The creation limit of a plan: a token bucket in which each token comes back exactly one window after it was taken, so that no
 * window of 60 s contains more creations than the plan allows. A bucket that refills steadily would allow almost twice as many.
 */
export const WINDOW_MS = 60_000;

interface RateState {
  remaining: number;
  /** Milliseconds until the next token is back; 0 if none is out. */
  nextMs: number;
  /** When every token is back, epoch ms. */
  resetAt: number;
}

/**
 * The times (epoch ms, ascending) of tokens that are still out. A time ahead of the clock, as after it was set back, counts as
 * now.
 */
export function stillSpent(spent: readonly number[], now: number): readonly number[] {
  const past = (spent.at(-1) ?? now) > now ? spent.map((at) => Math.min(at, now)) : spent;
  const oldest = past.findIndex((at) => at > now - WINDOW_MS);
  if (oldest === 0) return past;
  return oldest === -1 ? [] : past.slice(oldest);
}

export function rateState(
  spent: readonly number[],
  plan: Pick<Plan, 'creations_per_minute'>,
  now: number,
): RateState {
  const out = stillSpent(spent, now);
  const [first] = out;
  return {
    remaining: Math.max(0, plan.creations_per_minute - out.length),
    nextMs: first === undefined ? 0 : first + WINDOW_MS - now,
    resetAt: (out.at(-1) ?? now - WINDOW_MS) + WINDOW_MS,
  };
}
