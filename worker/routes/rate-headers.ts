import { type PlanName, planOf } from '../../schema/plans.ts';
import type { Principal } from '../repos/keys.ts';
import { rateHeaders } from '../services/submit.ts';

/** How the RateLimit headers stand in the OpenAPI document. */
export const rateHeaderDocs = {
  'RateLimit-Policy': {
    description: 'Creations (`q`) in a window of `w` seconds, by the IETF draft.',
    schema: { type: 'string' as const, examples: ['"basic";q=30;w=60'] },
  },
  RateLimit: {
    description: 'Creations left (`r`) and seconds until one comes back (`t`).',
    schema: { type: 'string' as const, examples: ['"basic";r=29;t=12'] },
  },
};

/** The RateLimit headers of a request that creates nothing, as of the newest creation. */
export function storedRateHeaders(principal: Principal, now: number): Record<string, string> {
  const plan: PlanName = principal.plan;
  const { rateRemaining, rateResetAt } = principal;
  if (rateRemaining === null || rateResetAt === null || rateResetAt <= now) {
    return rateHeaders(plan, { remaining: planOf(plan).creations_per_minute, nextSeconds: 0 });
  }
  return rateHeaders(plan, { remaining: rateRemaining, nextSeconds: Math.ceil((rateResetAt - now) / 1000) });
}
