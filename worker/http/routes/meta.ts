import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { exampleFiles } from '../../../schema/api/examples.ts';
import { planNames } from '../../../schema/api/plans.ts';
import { usage, usageQuery } from '../../../schema/api/usage.ts';
import { transitionNames } from '../../../schema/media/transitions.ts';
import type { App } from '../../app-env.ts';
import { accountUsage, accountUsageOf } from '../../services/account/account-usage.ts';
import { rateHeaders } from '../../services/account/rate-headers.ts';
import { usageOf } from '../../services/account/usage.ts';
import { capabilities, capabilitiesNow } from '../../services/docs/capabilities.ts';
import { example } from '../../services/docs/examples.ts';
import { preview } from '../../services/docs/preview.ts';
import { readiness, readinessOf } from '../../services/docs/readiness.ts';
import { sample } from '../../services/docs/sample.ts';
import { declare, keyed, mount } from '../declare.ts';
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
      summary: 'Whether the Worker answers.',
      responses: {
        200: {
          description: 'It does.',
          content: {
            'application/json': { schema: z.strictObject({ status: z.literal('ok'), version: z.string() }) },
          },
        },
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
      summary: 'Whether D1, R2 and a transcoder answer too.',
      responses: {
        200: { description: 'They do.', content: { 'application/json': { schema: readiness } } },
        503: {
          description: 'One does not; `checks` says which.',
          content: { 'application/json': { schema: readiness } },
        },
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
      summary: 'Every operation with its JSON Schemas, every transition, and the limits of every plan.',
      responses: {
        200: {
          description: 'What this service can do.',
          content: { 'application/json': { schema: capabilities } },
        },
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
      summary: 'What a transition looks like: a clip of two seconds, without sound.',
      request: {
        params: z.object({ name: z.enum(transitionNames).meta({ description: 'Name of the transition.' }) }),
      },
      responses: {
        200: {
          description: 'The clip, H.264 in mp4. `Range`, `If-Range` and `If-None-Match` are honoured.',
          content: { 'video/mp4': { schema: { type: 'string', format: 'binary' } } },
        },
        206: {
          description: 'The range asked for.',
          content: { 'video/mp4': { schema: { type: 'string', format: 'binary' } } },
        },
        304: { description: 'It has not changed.' },
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
      summary: 'What a preset, style or voice makes of a source of ours, or that source.',
      request: {
        params: z.object({
          file: z.enum(exampleFiles).meta({
            description: 'Name of the file. An example is there where the engines that it needs were.',
          }),
        }),
      },
      responses: {
        200: {
          description: 'The file. `Range`, `If-Range` and `If-None-Match` are honoured.',
          content: { 'video/mp4': media, 'audio/mp4': media, 'image/jpeg': media },
        },
        206: {
          description: 'The range asked for.',
          content: { 'video/mp4': media, 'audio/mp4': media, 'image/jpeg': media },
        },
        304: { description: 'It has not changed.' },
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
      summary: `The account of the key: its plan (${planNames.join(', ')}), limits and what is used of them now.`,
      security: keyed,
      responses: {
        200: {
          description: 'The account.',
          content: { 'application/json': { schema: accountUsage } },
        },
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
      summary: 'What the tasks of the account have cost, by day and operation.',
      description:
        'A task counts on the UTC day on which it ended, once, and goes on counting when it is deleted. At most 366 days at once.',
      security: keyed,
      request: { query: usageQuery },
      responses: {
        200: { description: 'The usage.', content: { 'application/json': { schema: usage } } },
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
