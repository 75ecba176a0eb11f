import type { Plan } from '../../schema/api/plans.ts';

/**
 * The creation limit of a plan: a token bucket in which each token comes back exactly one window after it was taken. So
 * no window of 60 s, wherever it begins, holds more creations than the plan says; a bucket that refills steadily would let
 * almost twice as many through.
 */
export const WINDOW_MS = 60_000;

interface RateState {
  remaining: number;
  /** Milliseconds until a token comes back, 0 where none is out. */
  nextMs: number;
  /** When every token is back, epoch ms. */
  resetAt: number;
}

/** The times (epoch ms, ascending) of tokens that are still out; one taken before the clock was set back counts as taken now. */
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
