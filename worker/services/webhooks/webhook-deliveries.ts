import type { z } from 'zod';
import { MAX_PENDING_TEST_EVENTS } from '../../../schema/api/request-limits.ts';
import {
  type Delivery,
  type DeliveryQuery,
  type deliveryList,
  type WebhookEvent,
  webhookTest,
} from '../../../schema/api/webhook.ts';
import { newId } from '../../../schema/task/ids.ts';
import { iso, isoOrNull } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { idPage } from '../../lib/id-page.ts';
import { Problem, parseInput } from '../../lib/problem.ts';
import { redactUrl } from '../../lib/text/redact.ts';
import type { Caller } from '../../repos/keys.ts';
import type { DeliveryRow } from '../../repos/webhook-deliveries.ts';
import { tooManyTests } from '../account/request-limit.ts';
import { eventOf } from './deliver-webhook.ts';
import { checkReceiverUrl } from './receiver-url.ts';

function deliveryView(row: DeliveryRow): Delivery {
  return {
    object: 'webhook_delivery',
    id: row.id,
    event_id: row.eventId,
    event_type: row.type,
    task_id: row.taskId,
    endpoint_id: row.endpointId,
    url: redactUrl(row.url),
    status: row.status,
    attempts: row.attempts,
    last_attempt_at: isoOrNull(row.lastAttemptAt),
    last_status_code: row.lastStatusCode,
    last_error: row.lastError,
    next_attempt_at: isoOrNull(row.nextAttemptAt),
    created_at: iso(row.createdAt),
  };
}

/** The log, newest first. */
export async function listDeliveries(
  context: Context,
  caller: Caller,
  { task_id: taskId, status, limit, cursor: before }: DeliveryQuery,
): Promise<z.output<typeof deliveryList>> {
  const filter = { taskId, status, before };
  const rows = await context.webhookDeliveries.list(caller.accountId, filter, limit + 1);
  return idPage(rows, limit, deliveryView);
}

/** A delivery with the body that an attempt would send now; null in place of it once the task is deleted. */
export async function readDelivery(
  context: Context,
  caller: Caller,
  id: string,
): Promise<{ delivery: Delivery; event: WebhookEvent | null } | null> {
  const row = await context.webhookDeliveries.read(caller.accountId, id);
  return row && { delivery: deliveryView(row), event: await eventOf(context, row) };
}

/** @throws Problem rate_limited, webhook_delivery_not_found */
export async function redeliver(context: Context, caller: Caller, id: string): Promise<Delivery> {
  const now = Date.now();
  const row = await context.webhookDeliveries.restart(caller.accountId, id, now, MAX_PENDING_TEST_EVENTS);
  if (!row && (await context.webhookDeliveries.read(caller.accountId, id))) throw tooManyTests();
  if (!row) throw new Problem('webhook_delivery_not_found');
  const delay = Math.ceil(((row.nextAttemptAt ?? now) - now) / 1000);
  await context.queueAttempts([{ delivery_id: row.id, attempt: row.attempts }], delay);
  return deliveryView(row);
}

/**
 * Sends a test event to an endpoint or to any URL.
 * @throws Problem rate_limited, validation_failed, webhook_endpoint_not_found
 */
export async function sendTest(context: Context, caller: Caller, body: unknown): Promise<Delivery> {
  const { accountId } = caller;
  const given = parseInput(webhookTest, body);
  if (given.url !== undefined) checkReceiverUrl(context, '/url', given.url);
  const endpoint =
    given.endpoint_id === undefined
      ? null
      : await context.webhookEndpoints.read(accountId, given.endpoint_id);
  const url = given.url ?? endpoint?.url;
  if (url === undefined) throw new Problem('webhook_endpoint_not_found');
  const now = Date.now();
  const ids = { id: newId('webhook_delivery', now), eventId: newId('event', now) };
  const row = await context.webhookDeliveries.createTest(
    { ...ids, accountId, endpointId: endpoint?.id ?? null, url, createdAt: now },
    MAX_PENDING_TEST_EVENTS,
  );
  if (!row) throw tooManyTests();
  await context.queueAttempts([{ delivery_id: row.id, attempt: 0 }]);
  return deliveryView(row);
}
