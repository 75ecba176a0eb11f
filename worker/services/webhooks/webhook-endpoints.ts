import type { z } from 'zod';
import {
  type Endpoint,
  type endpointList,
  MAX_ENDPOINTS,
  newEndpoint,
  taskEventTypes,
} from '../../../schema/api/webhook.ts';
import { newId } from '../../../schema/task/ids.ts';
import { iso } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { confirmed, confirmedGone } from '../../lib/outage.ts';
import { fieldProblem, Problem, parseInput } from '../../lib/problem.ts';
import { redactUrl } from '../../lib/text/redact.ts';
import { type Also, nothingElse } from '../../repos/also.ts';
import type { EndpointRow } from '../../repos/webhook-endpoints.ts';
import { checkReceiverUrl } from './receiver-url.ts';

function endpointView({ id, url, events, disabledAt, createdAt }: EndpointRow): Endpoint {
  return {
    object: 'webhook_endpoint',
    id,
    url: redactUrl(url),
    events: events ?? [...taskEventTypes],
    status: disabledAt === null ? 'enabled' : 'disabled',
    created_at: iso(createdAt),
  };
}

/**
 * @param also Is written with the endpoint, of which it gets the address as it is shown
 * @throws Problem validation_failed
 */
export async function createEndpoint(
  context: Context,
  accountId: string,
  body: unknown,
  also: (url: string) => Also = () => nothingElse,
): Promise<Endpoint> {
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
    () => webhookEndpoints.create(row, MAX_ENDPOINTS, also(redactUrl(url))),
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
export async function deleteEndpoint(
  { webhookEndpoints }: Context,
  accountId: string,
  id: string,
  also: Also = nothingElse,
): Promise<void> {
  const read = () => webhookEndpoints.read(accountId, id);
  const removed =
    (await read()) !== null &&
    (await confirmedGone(() => webhookEndpoints.remove(accountId, id, also), read));
  if (!removed) throw new Problem('webhook_endpoint_not_found');
}
