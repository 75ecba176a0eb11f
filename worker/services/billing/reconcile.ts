import { DAY_MS } from '../../../schema/time.ts';
import { errorText, log } from '../../lib/log.ts';
import { isOutage } from '../../lib/outage.ts';
import type { PeopleContext } from '../../people-context.ts';
import { queueDue } from '../mail/due-mails.ts';
import { newsMails, refreshBilling } from './refresh.ts';

/** Every customer is compared with Stripe once a day, a few in each sweep, in case an event was lost. */
const EVERY_MS = DAY_MS;
/** After a failure, a customer is tried again in this time. */
const RETRY_MS = 3600_000;
const PER_SWEEP = 50;

/** Brings accounts up to date whose events were lost. */
export async function reconcileBilling(context: PeopleContext, now: number): Promise<void> {
  if (!context.billing) return;
  for (const row of await context.customers.due(now - EVERY_MS, now - RETRY_MS, PER_SWEEP)) {
    try {
      await refreshBilling(context, row, now);
    } catch (error) {
      log('error', 'billing_not_reconciled', { account_id: row.accountId, error: errorText(error) });
      // Each of the others, and all that is swept after them, would wait for the timeout too.
      if (isOutage(error)) return;
    }
  }
}

/**
 * Makes subscriptions inactive whose failed payment was not made in time. Stripe is asked before, because the event of a payment may be
 * lost; without its answer, the grace goes on until a later sweep.
 */
export async function endGrace(context: PeopleContext, now: number): Promise<void> {
  for (const { id, plan, customerId } of await context.customers.graceOver(now, PER_SWEEP)) {
    try {
      if (customerId !== null) await refreshBilling(context, { accountId: id, customerId }, now);
      const mails = await newsMails(context, id, { kind: 'subscription_inactive' }, now);
      const action = 'subscription.changed';
      const change = { accountId: id, actor: 'Spool', action, subject: `${plan}, inactive`, now } as const;
      if (await context.customers.endGrace(change, mails)) log('info', 'grace_ended', { account_id: id });
      await queueDue(context, mails);
    } catch (error) {
      log('error', 'grace_not_ended', { account_id: id, error: errorText(error) });
      // Each of the others would wait for the timeout too.
      if (isOutage(error)) return;
    }
  }
}
