import type { SubscriptionStatus } from '../../../schema/api/billing.ts';
import type { PlanName } from '../../../schema/api/plans.ts';
import { DAY_MS } from '../../../schema/time.ts';
import type { PaidSubscription } from '../../lib/billing.ts';

/** What a status means: paid, a failed payment that may still be made, over, or never paid. */
type Meaning = 'paid' | 'due' | 'over' | 'never_paid';

const meanings: Record<SubscriptionStatus, Meaning> = {
  active: 'paid',
  trialing: 'paid',
  past_due: 'due',
  unpaid: 'over',
  canceled: 'over',
  paused: 'over',
  incomplete: 'never_paid',
  incomplete_expired: 'never_paid',
};

const precedence: readonly Meaning[] = ['paid', 'due', 'over', 'never_paid'];

/** What the subscriptions of an account entitle it to. */
export interface Standing {
  /** The subscription that decides. */
  from: PaidSubscription;
  plan: PlanName;
  subscription: 'active' | 'inactive';
  /** Until when a failed payment has to be made; null if none has failed. */
  payBy: number | null;
  /** Whether a free trial ends with it. A purchase that was never paid leaves the trial as it is. */
  endsTrial: boolean;
}

/**
 * The standing of an account, from the subscriptions as they are at Stripe and nothing else: not from what was known before. Of
 * several, a paid one decides, and of these the newest.
 * @returns null if there is no subscription
 */
export function standingOf(
  subscriptions: readonly PaidSubscription[],
  graceDays: number,
  now: number,
): Standing | null {
  const [from] = [...subscriptions].sort(
    (a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0),
  );
  if (!from) return null;
  const meaning = meanings[from.status];
  const payBy = meaning === 'due' ? (from.dueSince ?? from.createdAt) + graceDays * DAY_MS : null;
  const isActive = meaning === 'paid' || (payBy !== null && now < payBy);
  return {
    ...{ from, plan: from.plan, payBy },
    subscription: isActive ? 'active' : 'inactive',
    endsTrial: meaning !== 'never_paid',
  };
}

const rank = ({ status }: PaidSubscription) => precedence.indexOf(meanings[status]);

/**
 * What an account can do about its plan: buy one, change that of its subscription, or, before that, pay or renew the subscription.
 */
export type Offer = 'buy' | 'change' | 'manage';

export function offerOf(known: { status: SubscriptionStatus | null; endsAt: number | null } | null): Offer {
  if (!known?.status || known.status === 'canceled') return 'buy';
  const meaning = meanings[known.status];
  if (meaning === 'never_paid') return 'buy';
  return meaning === 'paid' && known.endsAt === null ? 'change' : 'manage';
}
