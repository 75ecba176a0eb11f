import type { Config } from '../../env.ts';
import { Problem } from '../../lib/problem.ts';
import { billingUrl } from './billing-url.ts';

/** Refuses an account that is not active, and says where it can pay. */
export function subscriptionRequired(config: Config, accountId: string): Problem {
  if (config.BILLING === 'none') return new Problem('subscription_required');
  return new Problem(
    'subscription_required',
    `Subscribe, or pay the open invoice, at ${billingUrl(config, accountId)}`,
  );
}
