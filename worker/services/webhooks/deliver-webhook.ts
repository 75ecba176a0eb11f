import { signatureHeaders } from '../../../schema/api/signature.ts';
import {
  ATTEMPT_DELAYS,
  type DeliveryError,
  type DeliveryMessage,
  TEST_ATTEMPTS,
  type WebhookEvent,
} from '../../../schema/api/webhook.ts';
import { iso } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { log } from '../../lib/log.ts';
import { type Answer, postEvent } from '../../lib/post-event.ts';
import { CLAIM_MS, type DeliveryRow } from '../../repos/webhook-deliveries.ts';
import type { EndpointRow } from '../../repos/webhook-endpoints.ts';
import { findTask } from '../tasks/find-task.ts';
import { taskView } from '../tasks/task-view.ts';
import { judgeReceiver } from './receiver-url.ts';
import { signingKeys } from './webhook-secret.ts';

interface Outcome extends Answer {
  /** Whether a request was sent. */
  called: boolean;
}

/** Errors that another attempt cannot fix. */
const final: readonly DeliveryError[] = [
  'gone',
  'address_forbidden',
  'endpoint_disabled',
  'endpoint_deleted',
  'task_deleted',
];

/** Makes the attempt that is due and schedules the next. A duplicate or late message does nothing. */
export async function deliverWebhook(context: Context, message: DeliveryMessage): Promise<void> {
  const { delivery_id: id, attempt } = message;
  const started = Date.now();
  const delivery = await context.webhookDeliveries.claim(id, started, started + CLAIM_MS);
  if (!delivery) return;
  const endpoint = await endpointFor(context, delivery);
  const { error, statusCode, called } = await attemptAt(context, delivery, endpoint, started);
  if (error === 'gone' && endpoint !== null)
    await context.webhookEndpoints.disable(endpoint.accountId, endpoint.id, started);

  const delay = nextDelay(delivery, error);
  const attempts = await context.webhookDeliveries.settle(delivery, {
    status: error === null ? 'delivered' : delay === null ? 'failed' : 'pending',
    step: delivery.step + 1,
    nextAttemptAt: delay === null ? null : Date.now() + delay * 1000,
    lastError: error,
    sent: called ? { at: started, statusCode } : null,
  });
  log('info', 'webhook_attempt', { delivery_id: id, attempt, status_code: statusCode, outcome: error });
  if (attempts !== null) {
    if (delay !== null) await context.queueAttempts([{ delivery_id: id, attempt: attempts }], delay);
    return;
  }
  const asked = await context.webhookDeliveries.advance(delivery, Date.now());
  if (asked !== null) await context.queueAttempts([{ delivery_id: id, attempt: asked }]);
}

/** Seconds until the next attempt; null if there is none. */
function nextDelay(
  { step, type }: Pick<DeliveryRow, 'step' | 'type'>,
  error: DeliveryError | null,
): number | null {
  if (error === null || final.includes(error)) return null;
  if (type === 'webhook.test' && step + 1 >= TEST_ATTEMPTS) return null;
  return ATTEMPT_DELAYS[step + 1] ?? null;
}

/**
 * The endpoint of a delivery; another one with its URL if it was deleted or disabled, because they share the delivery of an event, and
 * after a 410 a new endpoint takes the place of the disabled one.
 */
async function endpointFor(
  context: Context,
  { accountId, endpointId, url, type }: DeliveryRow,
): Promise<EndpointRow | null> {
  if (endpointId === null) return null;
  const { webhookEndpoints } = context;
  const own = await webhookEndpoints.read(accountId, endpointId);
  if (own && own.disabledAt === null) return own;
  return (await webhookEndpoints.receiving(accountId, url, type)) ?? own;
}

async function attemptAt(
  context: Context,
  delivery: DeliveryRow,
  endpoint: EndpointRow | null,
  now: number,
): Promise<Outcome> {
  const { accountId, endpointId, eventId, url } = delivery;
  const skipped = (error: DeliveryError): Outcome => ({ error, statusCode: null, called: false });
  if (endpointId !== null) {
    if (!endpoint) return skipped('endpoint_deleted');
    if (endpoint.disabledAt !== null) return skipped('endpoint_disabled');
  }
  const event = await eventOf(context, delivery);
  if (!event) return skipped('task_deleted');
  const body = JSON.stringify(event);
  const headers = await signatureHeaders(await signingKeys(context, accountId, now), eventId, body);
  const receiver = await judgeReceiver(context.config, url);
  if (receiver === 'forbidden') return skipped('address_forbidden');
  if (receiver === 'unknown') return { error: 'unreachable', statusCode: null, called: true };
  const limit = context.config.WEBHOOK_TIMEOUT_SECONDS * 1000;
  return { ...(await postEvent(receiver, headers, body, limit)), called: true };
}

/** The event to send, with its task rendered now, as GET /task shows it. Null if the task was deleted. */
export async function eventOf(
  context: Context,
  { accountId, eventId, type, taskId, createdAt }: DeliveryRow,
): Promise<WebhookEvent | null> {
  const task = taskId === null ? null : await findTask(context, accountId, taskId);
  if (taskId !== null && !task) return null;
  return {
    object: 'event',
    id: eventId,
    type,
    created_at: iso(createdAt),
    data: { object: task ? await taskView(context.config, task) : { object: 'account', id: accountId } },
  };
}
