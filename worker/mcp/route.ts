import { createMcpHandler } from '@modelcontextprotocol/server';
import type { App } from '../app-env.ts';
import { declare, keyed } from '../http/declare.ts';
import { readJson } from '../http/middleware/json-body.ts';
import { principalOf } from '../http/middleware/principal.ts';
import { Problem } from '../lib/problem.ts';
import { countRequest, refusal } from '../services/account/request-limit.ts';
import { MOST_REQUEST_BYTES } from '../services/tasks/request-bytes.ts';
import { admitMessages, admitSizes } from './admit-messages.ts';
import { joinedResponse } from './joined-response.ts';
import type { MakeMcpServer } from './server.ts';
import { withProblem } from './with-problem.ts';

/** The MCP server. Each request is answered by a server of its own. */
export function mcpRoutes(app: App, makeServer: MakeMcpServer): void {
  declare(
    app,
    {
      method: 'post',
      counted: 'own',
      path: '/mcp',
      operationId: 'mcp',
      tags: ['service'],
      summary: 'The MCP server: every operation as a tool, stateless Streamable HTTP.',
      security: keyed,
      anyQuery: true,
      request: {
        body: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', description: 'JSON-RPC 2.0.' } } },
        },
      },
      responses: {
        200: {
          description: 'A JSON-RPC response, a list of them for a batch, or an event stream.',
          content: {
            'application/json': {
              schema: { anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] },
            },
            'text/event-stream': { schema: { type: 'string' } },
          },
        },
        202: { description: 'The notification was accepted.' },
        400: {
          description: 'A JSON-RPC error.',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
      errors: [
        'missing_api_key',
        'invalid_api_key',
        'origin_forbidden',
        'invalid_json',
        'request_too_large',
        'unsupported_media_type',
      ],
    },
    async (c) => {
      const context = c.get('context');
      const origin = c.req.header('origin');
      // A page of another site must not use a key it may have found, including by DNS rebinding.
      if (origin !== undefined && origin !== context.config.PUBLIC_URL) {
        const header = (name: string) => c.req.header(name);
        throw await refusal(context, header, new Problem('origin_forbidden'));
      }
      const principal = await principalOf(c);
      const requestId = c.get('requestId');
      let body: unknown;
      try {
        body = await readJson(c.req.raw.clone(), MOST_REQUEST_BYTES);
        admitSizes(body);
      } catch (error) {
        await countRequest(context, principal, 'polls');
        throw error;
      }
      const { admitted, refused, limit } = await admitMessages(context, principal, body, requestId);
      const request = { context, principal, requestId, headers: c.req.raw.headers };
      const handler = createMcpHandler(({ era }) => makeServer(request, era));
      const serve = async () =>
        withProblem(await handler.fetch(c.req.raw, { parsedBody: admitted }), requestId);
      if (!limit && refused.length === 0) return serve();
      const served = admitted === null ? null : await serve();
      return joinedResponse(served, refused, { batch: Array.isArray(body), limit });
    },
  );
}
