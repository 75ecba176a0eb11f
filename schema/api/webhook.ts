import { z } from 'zod';
import { idPattern } from '../task/ids.ts';
import { task, taskId } from '../task/task.ts';
import { webhookUrl } from './webhook-url.ts';

/** Webhooks after Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks */
export const taskEventTypes = ['task.completed', 'task.failed'] as const;
const eventTypes = [...taskEventTypes, 'webhook.test'] as const;
export type TaskEventType = (typeof taskEventTypes)[number];
export type EventType = (typeof eventTypes)[number];

/**
 * Seconds before each attempt at a delivery, the first one included. The longest lies within the 12 hours by which
 * a queue can delay a message.
 */
export const ATTEMPT_DELAYS = [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

export const MAX_ENDPOINTS = 10;
/** For how long the secret before the newest is valid too. */
export const ROTATION_SECONDS = 24 * 3600;
export const LOG_DAYS = 30;

/** Queue message: make this attempt at this delivery, counted from 0. */
export const deliveryMessage = z.object({
  v: z.literal(1),
  delivery_id: z.string().regex(idPattern('webhook_delivery')),
  attempt: z.number().int().min(0),
});
export type DeliveryMessage = z.output<typeof deliveryMessage>;

const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
const eventId = z.string().regex(idPattern('event'));

/** The body that a receiver is sent. */
export const webhookEvent = z
  .strictObject({
    object: z.literal('event'),
    id: eventId.meta({
      description: 'The id of the event, as in the header `webhook-id`: the same in every attempt.',
    }),
    type: z.enum(eventTypes).meta({ description: 'What happened.' }),
    created_at: time,
    data: z
      .strictObject({
        object: z.union([
          task,
          z.strictObject({
            object: z.literal('account'),
            id: z.string().meta({ description: 'The account whose test this is.' }),
          }),
        ]),
      })
      .meta({ description: 'The task as `GET /task/{id}` shows it; the account for `webhook.test`.' }),
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.output<typeof webhookEvent>;

export const endpointId = z.string().regex(idPattern('webhook_endpoint'));

export const newEndpoint = z.strictObject({
  url: webhookUrl('Public https:// URL that events are sent to.'),
  events: z
    .array(z.enum(taskEventTypes))
    .min(1)
    .max(taskEventTypes.length)
    .optional()
    .meta({ description: 'The types of events that it is sent; all of them if left out.' }),
});

export const endpoint = z
  .strictObject({
    object: z.literal('webhook_endpoint'),
    id: endpointId,
    url: z.string().meta({ description: 'Where events are sent to; its query string redacted.' }),
    events: z.array(z.enum(taskEventTypes)).meta({ description: 'The types of events that it is sent.' }),
    status: z
      .enum(['enabled', 'disabled'])
      .meta({ description: '`disabled` once it has answered 410; create it anew to go on.' }),
    created_at: time,
  })
  .meta({ id: 'WebhookEndpoint' });
export type Endpoint = z.output<typeof endpoint>;

export const endpointList = z
  .strictObject({ object: z.literal('list'), data: z.array(endpoint) })
  .meta({ id: 'WebhookEndpointList' });

export const deletedEndpoint = z
  .strictObject({ object: z.literal('webhook_endpoint'), id: endpointId, deleted: z.literal(true) })
  .meta({ id: 'DeletedWebhookEndpoint' });

export const webhookSecret = z
  .strictObject({
    object: z.literal('webhook_secret'),
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]+=*$/)
      .meta({
        description: 'What signatures are verified with, as the Standard Webhooks libraries take it.',
      }),
    created_at: time,
    previous_valid_until: time.nullable().meta({
      description:
        'Until when deliveries are signed with the secret before this one too; null if they are not.',
    }),
  })
  .meta({ id: 'WebhookSecret' });
export type WebhookSecret = z.output<typeof webhookSecret>;

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const deliveryErrors = [
  'unreachable',
  'timed_out',
  'redirected',
  'http_error',
  'gone',
  'address_forbidden',
  'endpoint_disabled',
  'endpoint_deleted',
  'task_deleted',
] as const;
export type DeliveryError = (typeof deliveryErrors)[number];

export const deliveryId = z.string().regex(idPattern('webhook_delivery'));

export const delivery = z
  .strictObject({
    object: z.literal('webhook_delivery'),
    id: deliveryId,
    event_id: eventId.meta({ description: 'The header `webhook-id` of its attempts.' }),
    event_type: z.enum(eventTypes),
    task_id: taskId.nullable().meta({ description: 'Null for a test.' }),
    endpoint_id: endpointId.nullable().meta({ description: 'Null for a callback_url.' }),
    url: z.string().meta({ description: 'Where it goes; its query string redacted.' }),
    status: z
      .enum(deliveryStatuses)
      .meta({ description: '`delivered`: answered with 2xx · `failed`: not tried again by itself.' }),
    attempts: z.number().int().min(0).meta({ description: 'How many attempts were made.' }),
    last_attempt_at: time.nullable().meta({ description: 'ISO 8601, UTC; null before the first.' }),
    last_status_code: z.number().int().nullable().meta({ description: 'HTTP status of the last answer.' }),
    last_error: z
      .enum(deliveryErrors)
      .nullable()
      .meta({ description: 'Why the last attempt did not succeed.' }),
    next_attempt_at: time.nullable().meta({ description: 'ISO 8601, UTC; null unless pending.' }),
    created_at: time.meta({ description: 'When the event happened; ISO 8601, UTC.' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type Delivery = z.output<typeof delivery>;

export const deliveryList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(delivery),
    has_more: z.boolean().meta({ description: 'Whether older deliveries follow.' }),
    next_cursor: z.string().nullable().meta({ description: 'Give it as `cursor`; null on the last page.' }),
  })
  .meta({ id: 'WebhookDeliveryList' });

export const deliveryQuery = z.strictObject({
  task_id: taskId.optional().meta({ description: 'Those about this task only.' }),
  status: z.enum(deliveryStatuses).optional().meta({ description: 'Those of this status only.' }),
  limit: z.number().int().min(1).max(100).default(20).meta({ description: 'How many at most.' }),
  cursor: deliveryId.optional().meta({ description: 'The `next_cursor` of the page before.' }),
});
export type DeliveryQuery = z.output<typeof deliveryQuery>;

export const webhookTest = z
  .strictObject({
    endpoint_id: endpointId.optional().meta({ description: 'The endpoint that is sent the test.' }),
    url: webhookUrl('Public https:// URL that is sent the test, such as a future callback_url.').optional(),
  })
  .refine((value) => (value.endpoint_id === undefined) !== (value.url === undefined), {
    error: 'Give exactly one of endpoint_id and url',
  });
