import { LOG_DAYS } from '../../../schema/api/webhook.ts';
import { DAY_MS } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { attemptAll } from './attempt.ts';

/** Leaves the queue time to deliver first. */
const OVERDUE_AFTER_MS = 60_000;
/** Maximum number of messages that a queue accepts at once. */
const MESSAGES = 100;
/** Maximum number of deliveries queued again per sweep. */
const OVERDUE = 5000;
/** Rows deleted per statement, and statements per sweep. */
const OLD = 5000;
const PASSES = 20;

/** Queues due deliveries that were never queued or were lost on the way, and trims the log. Throws if a step failed. */
export async function sweepWebhooks(context: Context, now: number): Promise<void> {
  const { webhookDeliveries, webhookSecrets } = context;
  const due = now - OVERDUE_AFTER_MS;
  await attemptAll({
    hasten: () => webhookDeliveries.hasten(now, OVERDUE_AFTER_MS, due - 1),
    overdueDeliveries: () => queueOverdue(context, due),
    deliveries: () => removeOld(context, now),
    webhookSecrets: () => webhookSecrets.removeExpired(now),
  });
}

async function removeOld({ webhookDeliveries }: Context, now: number): Promise<void> {
  for (let pass = 0; pass < PASSES; pass++) {
    if ((await webhookDeliveries.removeBefore(now - LOG_DAYS * DAY_MS, OLD)) < OLD) break;
  }
}

async function queueOverdue(context: Context, due: number): Promise<void> {
  const overdue = await context.webhookDeliveries.overdue(due, OVERDUE);
  for (let at = 0; at < overdue.length; at += MESSAGES) {
    const batch = overdue.slice(at, at + MESSAGES);
    await context.queueAttempts(batch.map(({ id, attempts }) => ({ delivery_id: id, attempt: attempts })));
  }
}
