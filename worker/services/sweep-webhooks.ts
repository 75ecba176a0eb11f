import { LOG_DAYS } from '../../schema/webhook.ts';
import type { Context } from '../context.ts';

/** The queue has its chance first. */
const OVERDUE_AFTER_MS = 60_000;

/** Queues deliveries that are due and were not queued or were lost under way, and bounds the log. */
export async function sweepWebhooks(context: Context, now: number): Promise<void> {
  const { webhookDeliveries, webhookSecrets } = context;
  const overdue = await webhookDeliveries.overdue(now - OVERDUE_AFTER_MS, 100);
  await context.queueAttempts(overdue.map(({ id, attempts }) => ({ delivery_id: id, attempt: attempts })));
  await webhookDeliveries.removeBefore(now - LOG_DAYS * 24 * 3600_000, 5000);
  await webhookSecrets.removeExpired(now);
}
