import { describe, expect, it } from 'vitest';
import { type SubscriptionStatus, subscriptionStatuses } from '../../../../schema/api/billing.ts';
import { planNames } from '../../../../schema/api/plans.ts';
import type { PaidSubscription } from '../../../../worker/lib/billing.ts';
import { type Offer, offerOf, standingOf } from '../../../../worker/services/billing/standing.ts';

const DAY = 24 * 3600_000;
const NOW = 1_800_000_000_000;
const GRACE_DAYS = 7;

const subscription = (
  status: SubscriptionStatus,
  more: Partial<PaidSubscription> = {},
): PaidSubscription => ({
  id: 'sub_1',
  ...{ status, plan: 'boost', createdAt: NOW - 100 * DAY, periodEndsAt: NOW + 10 * DAY, endsAt: null },
  nextPlan: null,
  dueSince: status === 'past_due' ? NOW - DAY : null,
  ...more,
});
const standing = (...subscriptions: PaidSubscription[]) => standingOf(subscriptions, GRACE_DAYS, NOW);

describe('the standing of an account', () => {
  it.each<[SubscriptionStatus, 'active' | 'inactive', { endsTrial: boolean; offer: Offer }]>([
    ['active', 'active', { endsTrial: true, offer: 'change' }],
    ['trialing', 'active', { endsTrial: true, offer: 'change' }],
    ['past_due', 'active', { endsTrial: true, offer: 'manage' }],
    ['unpaid', 'inactive', { endsTrial: true, offer: 'manage' }],
    ['canceled', 'inactive', { endsTrial: true, offer: 'buy' }],
    ['paused', 'inactive', { endsTrial: true, offer: 'manage' }],
    ['incomplete', 'inactive', { endsTrial: false, offer: 'buy' }],
    ['incomplete_expired', 'inactive', { endsTrial: false, offer: 'buy' }],
  ])('with a subscription that is %s is %s, whatever the plan', (status, expected, { endsTrial, offer }) => {
    for (const plan of planNames) {
      const found = standing(subscription(status, { plan }));
      expect(found).toMatchObject({ plan, subscription: expected, endsTrial });
      expect(found?.payBy).toBe(status === 'past_due' ? NOW + 6 * DAY : null);
    }
    expect(offerOf({ status, endsAt: null })).toBe(offer);
  });

  it('knows every status', () => {
    expect(subscriptionStatuses.map((status) => standing(subscription(status))?.from.status)).toEqual([
      ...subscriptionStatuses,
    ]);
  });

  it('stays active until the grace is over, to the millisecond', () => {
    const due = (dueSince: number) => standing(subscription('past_due', { dueSince }))?.subscription;
    expect(due(NOW - GRACE_DAYS * DAY + 1)).toBe('active');
    expect(due(NOW - GRACE_DAYS * DAY)).toBe('inactive');
    expect(standingOf([subscription('past_due', { dueSince: NOW })], 0, NOW)?.subscription).toBe('inactive');
  });

  it('stays active until the period ends where the subscription is canceled for then', () => {
    const endsAt = NOW + 10 * DAY;
    expect(offerOf({ status: 'active', endsAt })).toBe('manage');
    expect(offerOf(null)).toBe('buy');
    expect(standing(subscription('active', { endsAt }))).toMatchObject({
      subscription: 'active',
      payBy: null,
    });
  });

  it('is decided by a paid subscription before all others, and by the newest of its kind', () => {
    const old = (status: SubscriptionStatus) => subscription(status, { id: 'sub_old', plan: 'basic' });
    const young = (status: SubscriptionStatus) =>
      subscription(status, { id: 'sub_young', createdAt: NOW, plan: 'elite' });
    const decides = (one: SubscriptionStatus, other: SubscriptionStatus) => {
      const both = [old(one), young(other)];
      const [found, turned] = [standing(...both), standing(...both.toReversed())];
      expect(found).toEqual(turned);
      return found?.from.id;
    };
    expect(decides('active', 'active')).toBe('sub_young');
    expect(decides('canceled', 'active')).toBe('sub_young');
    expect(decides('active', 'canceled')).toBe('sub_old');
    expect(decides('active', 'incomplete')).toBe('sub_old');
    expect(decides('past_due', 'canceled')).toBe('sub_old');
    expect(decides('canceled', 'incomplete')).toBe('sub_old');
    expect(decides('canceled', 'unpaid')).toBe('sub_young');
  });

  it('does not depend on the order of subscriptions that were made in the same second', () => {
    const both = [subscription('active', { id: 'sub_a' }), subscription('active', { id: 'sub_b' })];
    expect(standing(...both)?.from.id).toBe('sub_b');
    expect(standing(...both.toReversed())?.from.id).toBe('sub_b');
  });

  it('is none without a subscription', () => {
    expect(standing()).toBeNull();
  });
});
