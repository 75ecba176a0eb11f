import { type PlanName, planOf } from '../../../schema/api/plans.ts';
import type { Rate } from '../../account/admission.ts';
import { WINDOW_MS } from '../../account/rate.ts';
import type { Principal } from '../../repos/keys.ts';

/** The RateLimit headers of the IETF draft (draft-ietf-httpapi-ratelimit-headers). */
export function rateHeaders(plan: PlanName, rate: Rate): Record<string, string> {
  return {
    'ratelimit-policy': `"${plan}";q=${planOf(plan).creations_per_minute};w=60`,
    ratelimit: `"${plan}";r=${rate.remaining};t=${rate.nextSeconds}`,
  };
}

/** The same for a request that creates no task: values of the latest creation. */
export function storedRateHeaders(principal: Principal, now: number): Record<string, string> {
  const { plan, rateRemaining, rateResetAt } = principal;
  if (rateRemaining === null || rateResetAt === null || rateResetAt <= now) {
    return rateHeaders(plan, { remaining: planOf(plan).creations_per_minute, nextSeconds: 0 });
  }
  // No token is out for longer than the window, even if the clock was wrong when it was taken.
  const nextMs = Math.min(WINDOW_MS, rateResetAt - now);
  return rateHeaders(plan, { remaining: rateRemaining, nextSeconds: Math.ceil(nextMs / 1000) });
}
