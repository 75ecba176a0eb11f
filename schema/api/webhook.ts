import { z } from 'zod';
import { idPattern } from '../task/ids.ts';
import { task, taskId } from '../task/task.ts';
import { webhookUrl } from './webhook-url.ts';

/** Webhooks using Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks */
export const taskEventTypes = ['task.completed', 'task.failed'] as const;
const eventTypes = [...taskEventTypes, 'webhook.test'] as const;
export type TaskEventType = (typeof taskEventTypes)[number];
export type EventType = (typeof eventTypes)[number];

/** Seconds to wait before each delivery attempt. A queue can delay a message by 12 hours at most. */
export const ATTEMPT_DELAYS = [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;
/** Attempts of a test event. Only some may be pending at once, and at a wrong address they would be for a day. */
export const TEST_ATTEMPTS = 2;

export const MAX_ENDPOINTS = 10;
/** How long the previous secret stays valid after a rotation. */
export const ROTATION_SECONDS = 24 * 3600;
export const LOG_DAYS = 30;

/** Queue message: make the attempt that is due. `attempt`: how many were made before, for the log. */
export const deliveryMessage = z.object({
  v: z.literal(1),
  delivery_id: z.string().regex(idPattern('webhook_delivery')),
  attempt: z.number().int().min(0),
});
export type DeliveryMessage = z.output<typeof deliveryMessage>;

const time = z.iso.datetime().meta({ description: 'Time in ISO 8601, UTC.' });
const eventId = z.string().regex(idPattern('event'));

/** Body of a webhook request. */
export const webhookEvent = z
  .strictObject({
    object: z.literal('event'),
    id: eventId.meta({
      description: 'Id of the event, the same as the `webhook-id` header. Every attempt has the same id.',
    }),
    type: z.enum(eventTypes).meta({ description: 'Type of the event.' }),
    created_at: time,
    data: z
      .strictObject({
        object: z.union([
          task,
          z.strictObject({
            object: z.literal('account'),
            id: z.string().meta({ description: 'Id of the account that sent the test.' }),
          }),
        ]),
      })
      .meta({ description: 'The task as returned by `GET /task/{id}`; for `webhook.test`, the account.' }),
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.output<typeof webhookEvent>;

export const endpointId = z.string().regex(idPattern('webhook_endpoint'), {
  error: 'must be an endpoint id: `whe_` and 26 letters and digits',
});

export const newEndpoint = z.strictObject({
  url: webhookUrl('Public https:// URL that receives the events.'),
  events: z
    .array(z.enum(taskEventTypes))
    .min(1)
    .max(taskEventTypes.length)
    .optional()
    .meta({ description: 'Event types to send to this endpoint. Defaults to all of them.' }),
});

export const endpoint = z
  .strictObject({
    object: z.literal('webhook_endpoint'),
    id: endpointId,
    url: z.string().meta({ description: 'URL that receives the events, with its query string redacted.' }),
    events: z.array(z.enum(taskEventTypes)).meta({ description: 'Event types sent to this endpoint.' }),
    status: z.enum(['enabled', 'disabled']).meta({
      description:
        '`disabled` after the endpoint returned 410. Create a new endpoint to receive events again.',
    }),
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
        description: 'Secret that verifies signatures, in the format of the Standard Webhooks libraries.',
      }),
    created_at: time,
    previous_valid_until: time.nullable().meta({
      description:
        'Until this time, deliveries are also signed with the previous secret. Null if there is none.',
    }),
  })
  .meta({ id: 'WebhookSecret' });
export type WebhookSecret = z.output<typeof webhookSecret>;

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
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

export const deliveryId = z
  .string()
  .regex(idPattern('webhook_delivery'), { error: 'must be a delivery id: `whd_` and 26 letters and digits' });

export const delivery = z
  .strictObject({
    object: z.literal('webhook_delivery'),
    id: deliveryId,
    event_id: eventId.meta({ description: 'The `webhook-id` header of the delivery.' }),
    event_type: z.enum(eventTypes),
    task_id: taskId.nullable().meta({ description: 'Id of the task; null for a test event.' }),
    endpoint_id: endpointId
      .nullable()
      .meta({ description: 'Id of the endpoint; null for a `callback_url`.' }),
    url: z.string().meta({ description: 'URL of the receiver, with its query string redacted.' }),
    status: z.enum(deliveryStatuses).meta({
      description:
        '`pending`: more attempts follow. `delivered`: the receiver returned 2xx. `failed`: no more attempts are made.',
    }),
    attempts: z.number().int().min(0).meta({ description: 'Number of attempts made.' }),
    last_attempt_at: time
      .nullable()
      .meta({ description: 'Time of the last attempt, ISO 8601 UTC; null before the first attempt.' }),
    last_status_code: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last response; null if there was none.' }),
    last_error: z
      .enum(deliveryErrors)
      .nullable()
      .meta({ description: 'Why the last attempt failed; null if it succeeded.' }),
    next_attempt_at: time
      .nullable()
      .meta({ description: 'Time of the next attempt, ISO 8601 UTC; null unless `pending`.' }),
    created_at: time.meta({ description: 'Time of the event, ISO 8601 UTC.' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type Delivery = z.output<typeof delivery>;

export const deliveryList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(delivery),
    has_more: z.boolean().meta({ description: 'Whether there is another page with older deliveries.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Value of `cursor` for the next page; null on the last page.' }),
  })
  .meta({ id: 'WebhookDeliveryList' });

export const deliveryQuery = z.strictObject({
  task_id: taskId.optional().meta({ description: 'Only deliveries of this task.' }),
  status: z.enum(deliveryStatuses).optional().meta({ description: 'Only deliveries with this status.' }),
  limit: z.number().int().min(1).max(100).default(20).meta({ description: 'Number of deliveries per page.' }),
  cursor: deliveryId.optional().meta({ description: '`next_cursor` of the previous page.' }),
});
export type DeliveryQuery = z.output<typeof deliveryQuery>;

export const webhookTest = z
  .strictObject({
    endpoint_id: endpointId.optional().meta({ description: 'Endpoint to send the test event to.' }),
    url: webhookUrl(
      'Public https:// URL to send the test event to, for example a future `callback_url`.',
    ).optional(),
  })
  .refine((value) => (value.endpoint_id === undefined) !== (value.url === undefined), {
    error: 'Give either `endpoint_id` or `url`.',
  });
