import { DAY_MS } from '../../../schema/time.ts';
import { errorText, log } from '../../lib/log.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { BillingRow } from '../../repos/people/billing.ts';
import type { DueMail } from '../../repos/people/due-mails.ts';
import { dueMails, queueDue, toOwners } from '../mail/due-mails.ts';
import { billingUrl } from './billing-url.ts';
import { type Standing, standingOf } from './standing.ts';

/** How long a mail about a subscription is worth sending. */
export const MAIL_MS = 3 * DAY_MS;

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
  const mails = await mailsAbout(context, accountId, standing, now);
  // A payment that is still due at Stripe is over by our own rule.
  const isGraceOver = standing?.subscription === 'inactive' && standing.payBy !== null;
  const change = {
    ...({ accountId, action: 'subscription.changed', now } as const),
    actor: isGraceOver ? 'Spool' : 'Stripe',
    subject: standing ? `${standing.plan}, ${standing.subscription}` : '',
  };
  const stored = await context.customers.see(
    { accountId, now },
    asked,
    seenOf(standing),
    standing,
    change,
    mails,
  );
  await queueDue(context, [...mails.failed, ...mails.inactive]);
  if (!stored || !standing) return;
  const { subscription } = standing;
  log('info', 'billing_refreshed', { account_id: accountId, status: standing.from.status, subscription });
  await tellPlan(context, accountId);
}

/** The tasks that an account has now go on with its plan. Where this fails, it learns the plan when it hands out or takes the next one. */
async function tellPlan({ accounts, account }: PeopleContext, accountId: string): Promise<void> {
  try {
    const plan = (await accounts.plansOf([accountId])).get(accountId);
    if (plan !== undefined) await account(accountId).planIs(plan);
  } catch (error) {
    log('warn', 'plan_not_told', { account_id: accountId, error: errorText(error) });
  }
}

/** What the owners get to know, unless they know it already. */
async function mailsAbout(context: PeopleContext, accountId: string, standing: Standing | null, now: number) {
  if (!standing) return { failed: [], inactive: [] };
  const { subscription, payBy, endsTrial } = standing;
  const isFailed = subscription === 'active' && payBy !== null;
  const isInactive = subscription === 'inactive' && endsTrial;
  return {
    failed: isFailed ? await newsMails(context, accountId, { kind: 'payment_failed', payBy }, now) : [],
    inactive: isInactive ? await newsMails(context, accountId, { kind: 'subscription_inactive' }, now) : [],
  };
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

/** A mail to each owner of an account about its subscription. */
export async function newsMails(
  context: PeopleContext,
  accountId: string,
  news: News,
  now: number,
): Promise<DueMail[]> {
  const link = billingUrl(context.config, accountId);
  const contents = toOwners(await context.members.owners(accountId), { ...news, link });
  return dueMails(context, contents, { now, expiresAt: now + MAIL_MS });
}
