import { z } from 'zod';
import {
  ATTEMPT_DELAYS,
  deletedEndpoint,
  delivery,
  deliveryId,
  deliveryList,
  deliveryQuery,
  endpoint,
  endpointId,
  endpointList,
  LOG_DAYS,
  newEndpoint,
  TEST_ATTEMPTS,
  taskEventTypes,
  webhookEvent,
  webhookSecret,
  webhookTest,
} from '../../../schema/api/webhook.ts';
import type { App } from '../../app-env.ts';
import { listDeliveries, redeliver, sendTest } from '../../services/webhooks/webhook-deliveries.ts';
import { createEndpoint, deleteEndpoint, listEndpoints } from '../../services/webhooks/webhook-endpoints.ts';
import { readWebhookSecret, rotateWebhookSecret } from '../../services/webhooks/webhook-secret.ts';
import { declare, jsonBody, jsonResponse, keyed } from '../declare.ts';
import { completedEvent } from '../docs/example-event.ts';
import { readJson } from '../middleware/json-body.ts';
import { principalOf } from '../middleware/principal.ts';
import { fromText, parseQuery } from '../middleware/query.ts';

const common = { tags: ['webhooks'], security: keyed, counted: 'polls' as const };
const always = ['missing_api_key', 'invalid_api_key', 'internal_error', 'unavailable'] as const;
const withBody = [
  ...always,
  'invalid_json',
  'request_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const;
const noStore = { 'cache-control': 'no-store' };

const logParameters = deliveryQuery.extend({ limit: fromText(deliveryQuery.shape.limit) });
const endpointParams = z.object({ id: endpointId.meta({ description: 'Id of the endpoint.' }) });
const deliveryParams = z.object({ id: deliveryId.meta({ description: 'Id of the delivery.' }) });

export function webhookRoutes(app: App): void {
  for (const type of taskEventTypes) {
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: type.replace('.', '_'),
      security: [],
      summary: `A task ${type === 'task.completed' ? 'was completed' : 'failed'}.`,
      description: `Sent to the \`callback_url\` of the task and to every endpoint subscribed to this event, with the Standard Webhooks headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. Return 2xx within 15 seconds, or less where the operator has set a shorter limit; redirects are not followed. Otherwise the delivery is retried. The delays before the attempts are ${ATTEMPT_DELAYS.join(', ')} seconds. 410 stops the attempts.`,
      request: {
        body: {
          content: {
            'application/json': {
              schema: webhookEvent,
              ...(type === 'task.completed' ? { example: completedEvent() } : {}),
            },
          },
        },
      },
      responses: { 204: { description: 'Any 2xx status: the event is delivered.' } },
    });
  }
  endpointRoutes(app);
  secretRoutes(app);
  deliveryRoutes(app);
}

function endpointRoutes(app: App): void {
  const path = '/webhooks/endpoints';
  declare(
    app,
    {
      ...common,
      method: 'post',
      path,
      operationId: 'create_webhook_endpoint',
      summary: 'Create an endpoint that receives the events of all tasks of your account.',
      request: { body: jsonBody(newEndpoint) },
      responses: { 201: jsonResponse('The endpoint.', endpoint) },
      errors: withBody,
    },
    async (c) => {
      const { accountId } = await principalOf(c);
      return c.json(await createEndpoint(c.get('context'), accountId, await readJson(c.req.raw)), 201);
    },
  );
  declare(
    app,
    {
      ...common,
      method: 'get',
      path,
      operationId: 'list_webhook_endpoints',
      summary: 'List your webhook endpoints.',
      responses: { 200: jsonResponse('All endpoints, oldest first.', endpointList) },
      errors: always,
    },
    async (c) => {
      const { accountId } = await principalOf(c);
      return c.json(await listEndpoints(c.get('context'), accountId), 200, noStore);
    },
  );
  declare(
    app,
    {
      ...common,
      method: 'delete',
      path: `${path}/{id}`,
      operationId: 'delete_webhook_endpoint',
      summary: 'Delete an endpoint. Pending deliveries to it are not retried.',
      request: { params: endpointParams },
      responses: { 200: jsonResponse('The endpoint was deleted.', deletedEndpoint) },
      errors: [...always, 'webhook_endpoint_not_found'],
    },
    async (c) => {
      const { accountId } = await principalOf(c);
      const id = c.req.param('id') ?? '';
      await deleteEndpoint(c.get('context'), accountId, id);
      return c.json({ object: 'webhook_endpoint', id, deleted: true });
    },
  );
}

function secretRoutes(app: App): void {
  const path = '/webhooks/secret';
  declare(
    app,
    {
      ...common,
      method: 'get',
      path,
      operationId: 'get_webhook_secret',
      summary: 'Get the secret that signs your webhooks.',
      responses: { 200: jsonResponse('The secret. It is created with the first request.', webhookSecret) },
      errors: always,
    },
    async (c) => {
      const { accountId } = await principalOf(c);
      return c.json(await readWebhookSecret(c.get('context'), accountId), 200, noStore);
    },
  );
  declare(
    app,
    {
      ...common,
      method: 'post',
      path: `${path}/rotate`,
      operationId: 'rotate_webhook_secret',
      summary: 'Rotate the secret. For 24 hours, webhooks are also signed with the previous secret.',
      description: 'At most two secrets are valid. To revoke a leaked secret immediately, rotate twice.',
      responses: { 200: jsonResponse('The new secret.', webhookSecret) },
      errors: always,
    },
    async (c) => {
      const { accountId } = await principalOf(c);
      return c.json(await rotateWebhookSecret(c.get('context'), accountId), 200, noStore);
    },
  );
}

function deliveryRoutes(app: App): void {
  const path = '/webhooks/deliveries';
  declare(
    app,
    {
      ...common,
      method: 'get',
      path,
      operationId: 'list_webhook_deliveries',
      summary: `List the deliveries of the last ${LOG_DAYS} days, newest first.`,
      description: 'Counts as a poll.',
      request: { query: deliveryQuery },
      responses: { 200: jsonResponse('A page of the log.', deliveryList) },
      errors: [...always, 'validation_failed'],
    },
    async (c) => {
      const principal = await principalOf(c);
      const query = parseQuery(logParameters, c.req.url);
      return c.json(await listDeliveries(c.get('context'), principal, query), 200, noStore);
    },
  );
  declare(
    app,
    {
      ...common,
      method: 'post',
      path: `${path}/{id}/redeliver`,
      operationId: 'redeliver_webhook',
      summary: 'Retry a delivery now. All its attempts start again.',
      description:
        'If an attempt is under way, the next one follows it. If one is due within 90 seconds, it is the first of the new attempts.',
      request: { params: deliveryParams },
      responses: { 202: jsonResponse('The delivery, pending.', delivery) },
      errors: [...always, 'webhook_delivery_not_found'],
    },
    async (c) => {
      const principal = await principalOf(c);
      return c.json(await redeliver(c.get('context'), principal, c.req.param('id') ?? ''), 202);
    },
  );
  declare(
    app,
    {
      ...common,
      method: 'post',
      path: '/webhooks/test',
      operationId: 'test_webhook',
      summary: 'Send a `webhook.test` event to an endpoint or to any URL.',
      description: `A test event is attempted ${TEST_ATTEMPTS} times, ${ATTEMPT_DELAYS[1]} seconds apart, and has then failed.`,
      request: { body: jsonBody(webhookTest) },
      responses: { 202: jsonResponse('The delivery, pending.', delivery) },
      errors: [...withBody, 'webhook_endpoint_not_found'],
    },
    async (c) => {
      const principal = await principalOf(c);
      return c.json(await sendTest(c.get('context'), principal, await readJson(c.req.raw)), 202);
    },
  );
}
