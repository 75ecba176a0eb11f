import { LOG_DAYS } from '../../../schema/api/webhook.ts';
import type { Context } from '../../context.ts';

/** The queue has its chance first. */
const OVERDUE_AFTER_MS = 60_000;
/** Most messages that a queue takes at once. */
const MESSAGES = 100;
/** Deliveries that one sweep queues again. */
const OVERDUE = 5000;
/** Rows that one statement deletes, and statements of one sweep. */
const OLD = 5000;
const PASSES = 20;

/** Queues deliveries that are due and were not queued or were lost under way, and bounds the log. */
export async function sweepWebhooks(context: Context, now: number): Promise<void> {
  const { webhookDeliveries, webhookSecrets } = context;
  const due = now - OVERDUE_AFTER_MS;
  await webhookDeliveries.hasten(now, OVERDUE_AFTER_MS, due - 1);
  const overdue = await webhookDeliveries.overdue(due, OVERDUE);
  for (let at = 0; at < overdue.length; at += MESSAGES) {
    const batch = overdue.slice(at, at + MESSAGES);
    await context.queueAttempts(batch.map(({ id, attempts }) => ({ delivery_id: id, attempt: attempts })));
  }
  for (let pass = 0; pass < PASSES; pass++) {
    if ((await webhookDeliveries.removeBefore(now - LOG_DAYS * 24 * 3600_000, OLD)) < OLD) break;
  }
  await webhookSecrets.removeExpired(now);
}
