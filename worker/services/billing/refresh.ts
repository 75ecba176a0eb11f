import { log } from '../../lib/log.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { BillingRow } from '../../repos/people/billing.ts';
import { mailOwners } from '../mail/mail-owners.ts';
import { billingUrl } from './billing-url.ts';
import { type Standing, standingOf } from './standing.ts';

const MAIL_MS = 3 * 24 * 3600_000;

type About = Pick<BillingRow, 'accountId' | 'customerId'>;

/**
 * Makes an account what its subscriptions at Stripe entitle it to. Whatever the reason to ask was, the response decides, and of
 * several responses the one that was asked for last. Throws if Stripe does not answer.
 */
export async function refreshBilling(
  context: PeopleContext,
  { accountId, customerId }: About,
  now: number,
): Promise<void> {
  if (!context.billing) return;
  const asked = await context.customers.ask(accountId, now);
  const subscriptions = await context.billing.subscriptionsOf(customerId);
  const standing = standingOf(subscriptions, context.config.GRACE_DAYS, now);
  const before = await context.customers.see({ accountId, now }, asked, seenOf(standing), standing, {
    ...{ accountId, actor: 'Stripe', action: 'subscription.changed', now },
    subject: standing ? `${standing.plan}, ${standing.subscription}` : '',
  });
  if (!before || !standing) return;
  const { subscription, payBy } = standing;
  log('info', 'billing_refreshed', { account_id: accountId, status: standing.from.status, subscription });
  if (subscription === 'active' && payBy !== null && (await context.customers.notify(accountId, payBy))) {
    await notifyOwners(context, accountId, { kind: 'payment_failed', payBy });
  }
  if (before.subscription === 'active' && subscription === 'inactive' && standing.endsTrial) {
    await notifyOwners(context, accountId, { kind: 'subscription_inactive' });
  }
}

const seenOf = (standing: Standing | null) => ({
  subscriptionId: standing?.from.id ?? null,
  status: standing?.from.status ?? null,
  plan: standing?.plan ?? null,
  periodEndsAt: standing?.from.periodEndsAt ?? null,
  endsAt: standing?.from.endsAt ?? null,
  nextPlan: standing?.from.nextPlan ?? null,
});

type News = { kind: 'payment_failed'; payBy: number } | { kind: 'subscription_inactive' };

export async function notifyOwners(context: PeopleContext, accountId: string, news: News): Promise<void> {
  const link = billingUrl(context.config, accountId);
  const owners = await context.members.owners(accountId);
  await mailOwners(context, owners, { ...news, link }, Date.now() + MAIL_MS);
}
