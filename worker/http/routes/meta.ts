import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { accountUsage } from '../../../schema/api/account.ts';
import { servedFiles } from '../../../schema/api/examples.ts';
import { planNames } from '../../../schema/api/plans.ts';
import { usage, usageQuery } from '../../../schema/api/usage.ts';
import { transitionNames } from '../../../schema/media/transitions.ts';
import type { App } from '../../app-env.ts';
import { mount } from '../../mount.ts';
import { accountUsageOf } from '../../services/account/account-usage.ts';
import { rateHeaders } from '../../services/account/rate-headers.ts';
import { usageOf } from '../../services/account/usage.ts';
import { capabilities, capabilitiesNow } from '../../services/docs/capabilities.ts';
import { example } from '../../services/docs/examples.ts';
import { preview } from '../../services/docs/preview.ts';
import { readiness, readinessOf } from '../../services/docs/readiness.ts';
import { sample } from '../../services/docs/sample.ts';
import { declare, jsonResponse, keyed } from '../declare.ts';
import { bytesRequest } from '../middleware/bytes-request.ts';
import { principalOf } from '../middleware/principal.ts';

const { version } = packageJson;
const tags = ['service'];

export function metaRoutes(app: App): void {
  declare(
    app,
    {
      method: 'get',
      counted: 'public',
      path: '/healthz',
      operationId: 'healthz',
      tags,
      summary: 'Check that the API is running.',
      responses: {
        200: jsonResponse(
          'The API is running.',
          z.strictObject({ status: z.literal('ok'), version: z.string() }),
        ),
      },
      errors: [],
    },
    (c) => c.json({ status: 'ok', version }),
  );

  declare(
    app,
    {
      method: 'get',
      counted: 'public',
      path: '/readyz',
      operationId: 'readyz',
      tags,
      summary: 'Check that the database, storage and a transcoder are available.',
      responses: {
        200: jsonResponse('All of them are available.', readiness),
        503: jsonResponse('At least one is unavailable; see `checks`.', readiness),
      },
      errors: [],
    },
    async (c) => {
      const state = await readinessOf(c.get('context'), version);
      if (state.status === 'ready') return c.json(state, 200, { 'cache-control': 'no-store' });
      return c.json(state, 503, { 'cache-control': 'no-store', 'retry-after': '5' });
    },
  );

  declare(
    app,
    {
      method: 'get',
      counted: 'public',
      path: '/capabilities',
      operationId: 'capabilities',
      tags,
      summary: 'List all operations with their JSON Schemas, transitions, voices, engines and plan limits.',
      responses: {
        200: jsonResponse('The capabilities of this service.', capabilities),
      },
      errors: [],
    },
    async (c) =>
      c.json(await capabilitiesNow(c.get('context')), 200, { 'cache-control': 'public, max-age=300' }),
  );

  declare(
    app,
    {
      method: 'get',
      counted: 'public',
      path: '/transitions/{name}.mp4',
      operationId: 'transition_preview',
      tags,
      summary: 'Get a preview of a transition: a clip of 2 s without audio.',
      request: {
        params: z.object({ name: z.enum(transitionNames).meta({ description: 'Name of the transition.' }) }),
      },
      responses: {
        200: {
          description: 'The clip (H.264 in mp4). Supports `Range`, `If-Range` and `If-None-Match`.',
          content: { 'video/mp4': { schema: { type: 'string', format: 'binary' } } },
        },
        206: {
          description: 'The requested range.',
          content: { 'video/mp4': { schema: { type: 'string', format: 'binary' } } },
        },
        304: { description: 'Not modified.' },
      },
      errors: ['not_found', 'range_not_satisfiable'],
    },
    async (c) => preview(c.get('context'), c.req.param('name') ?? '', bytesRequest(c)),
  );

  const media = { schema: { type: 'string', format: 'binary' } } as const;
  declare(
    app,
    {
      method: 'get',
      counted: 'public',
      path: '/examples/{file}',
      operationId: 'example',
      tags,
      summary: 'Get an example of a preset, style or voice, its source file, or a picture of it.',
      request: {
        params: z.object({
          file: z.enum(servedFiles).meta({
            description:
              'Name of the file. Examples exist only for engines that were available when they were made.',
          }),
        }),
      },
      responses: {
        200: {
          description: 'The file. Supports `Range`, `If-Range` and `If-None-Match`.',
          content: { 'video/mp4': media, 'audio/mp4': media, 'image/jpeg': media },
        },
        206: {
          description: 'The requested range.',
          content: { 'video/mp4': media, 'audio/mp4': media, 'image/jpeg': media },
        },
        304: { description: 'Not modified.' },
      },
      errors: ['not_found', 'range_not_satisfiable'],
    },
    async (c) => example(c.get('context'), c.req.param('file') ?? '', bytesRequest(c)),
  );

  declare(
    app,
    {
      method: 'get',
      counted: 'polls',
      path: '/account',
      operationId: 'account',
      tags,
      summary: `Get your account: plan (${planNames.join(', ')}), limits and current usage.`,
      security: keyed,
      responses: {
        200: jsonResponse('The account.', accountUsage),
      },
      errors: ['missing_api_key', 'invalid_api_key', 'internal_error', 'unavailable'],
    },
    async (c) => {
      const context = c.get('context');
      const principal = await principalOf(c);
      const { body, rate } = await accountUsageOf(context, principal);
      return c.json(body, 200, { 'cache-control': 'no-store', ...rateHeaders(principal.plan, rate) });
    },
  );

  declare(
    app,
    {
      method: 'get',
      counted: 'polls',
      path: '/usage',
      operationId: 'usage',
      tags,
      summary: 'Get the usage of your account by day and operation.',
      description:
        'A task counts once, on the UTC day on which it ended, even if it is deleted later. A request covers at most 366 days.',
      security: keyed,
      request: { query: usageQuery },
      responses: {
        200: jsonResponse('The usage.', usage),
      },
      errors: ['missing_api_key', 'invalid_api_key', 'validation_failed', 'internal_error', 'unavailable'],
    },
    async (c) => {
      const principal = await principalOf(c);
      const body = await usageOf(c.get('context'), principal, c.req.query(), Date.now());
      return c.json(body, 200, { 'cache-control': 'no-store' });
    },
  );

  const samples = '/samples/:name{[a-z0-9][a-z0-9._-]{0,63}}';
  mount(app, { method: 'get', path: samples, counted: 'public' }, async (c) =>
    sample(c.get('context'), c.req.param('name') ?? '', bytesRequest(c)),
  );
}
