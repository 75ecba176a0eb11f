import type { z } from 'zod';
import {
  type Endpoint,
  type endpointList,
  MAX_ENDPOINTS,
  newEndpoint,
  taskEventTypes,
} from '../../../schema/api/webhook.ts';
import { newId } from '../../../schema/task/ids.ts';
import type { Context } from '../../context.ts';
import { confirmed } from '../../lib/outage.ts';
import { fieldProblem, Problem, parseInput } from '../../lib/problem.ts';
import { redactUrl } from '../../lib/text/redact.ts';
import type { EndpointRow } from '../../repos/webhook-endpoints.ts';
import { checkReceiverUrl } from './receiver-url.ts';

function endpointView({ id, url, events, disabledAt, createdAt }: EndpointRow): Endpoint {
  return {
    object: 'webhook_endpoint',
    id,
    url: redactUrl(url),
    events: events ?? [...taskEventTypes],
    status: disabledAt === null ? 'enabled' : 'disabled',
    created_at: new Date(createdAt).toISOString(),
  };
}

/** @throws Problem validation_failed */
export async function createEndpoint(context: Context, accountId: string, body: unknown): Promise<Endpoint> {
  const { url, events } = parseInput(newEndpoint, body);
  checkReceiverUrl(context, '/url', url);
  const now = Date.now();
  const row = {
    id: newId('webhook_endpoint', now),
    accountId,
    url,
    events: events ?? null,
    createdAt: now,
    disabledAt: null,
  };
  const { webhookEndpoints } = context;
  const made = await confirmed(
    () => webhookEndpoints.create(row, MAX_ENDPOINTS),
    async () => (await webhookEndpoints.read(accountId, row.id)) !== null || null,
  );
  if (made) return endpointView(row);
  const detail = `An account can have at most ${MAX_ENDPOINTS} endpoints. Delete one first.`;
  throw fieldProblem('validation_failed', [{ pointer: '/url', code: 'too_many_endpoints', detail }]);
}

export async function listEndpoints(
  context: Context,
  accountId: string,
): Promise<z.output<typeof endpointList>> {
  const rows = await context.webhookEndpoints.list(accountId);
  return { object: 'list', data: rows.map(endpointView) };
}

/** @throws Problem webhook_endpoint_not_found */
export async function deleteEndpoint(context: Context, accountId: string, id: string): Promise<void> {
  if (!(await context.webhookEndpoints.remove(accountId, id)))
    throw new Problem('webhook_endpoint_not_found');
}
