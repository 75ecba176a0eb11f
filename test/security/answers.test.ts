import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { transitionNames } from '../../schema/media/transitions.ts';
import { operations } from '../../schema/operations/index.ts';
import { AI_PATH, MAX_AI_REQUEST } from '../../schema/task/wire.ts';
import { type Service, startService } from '../harness.ts';
import { stripeSecrets } from '../worker/billing/stand.ts';
import { fill, type Route, routes } from './routes.ts';

let service: Service;

beforeAll(async () => {
  const noStripe = { BILLING: 'stripe', STRIPE_API_URL: 'http://127.0.0.1:9', ...stripeSecrets };
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', ...noStripe });
  const { FILES } = await service.bindings();
  await FILES.put('samples/sample.mp4', 'sample');
});
afterAll(() => service.close());

/** A value for each parameter with which a route without a key finds something. */
const found: Record<string, string> = {
  '/transitions/:name{[^/]+\\.mp4}': `${transitionNames[0]}.mp4`,
  '/examples/:file': 'photo.jpg',
  '/samples/:name{[a-z0-9][a-z0-9._-]{0,63}}': 'sample.mp4',
  '/static/:name': 'docs.css',
  '/tools/mp4-to-mp3/:name': 'app.webmanifest',
};
const nobody: Record<string, string> = { account: 'acct_0', attempt: '1' };
/** Without headers that can be true, no body is read. */
const plausible = () => ({
  'webhook-id': 'evt_0',
  'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
  'webhook-signature': `v1,${btoa('0'.repeat(32))}`,
  'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
});
/** Whether it is a page of the dashboard, which has forms. */
const isPage = ({ url, headers }: Response) =>
  new URL(url).pathname.startsWith('/app') && headers.get('content-type')?.startsWith('text/html');
const pathOf = ({ path }: Route) =>
  fill(path, (name) => found[path] ?? nobody[name] ?? `task_${'0'.repeat(26)}`);

describe('every answer', () => {
  test.each(routes)('of $method $path may be neither framed nor sniffed nor run', async (route) => {
    const { key } = service.accounts.elite;
    for (const init of [{ method: route.method }, { method: route.method, key }, { method: 'PUT' }]) {
      const response = await service.request(pathOf(route), { ...init, redirect: 'manual' });
      const { headers, status } = response;
      await response.body?.cancel();
      expect([status, headers.get('x-content-type-options')]).toEqual([status, 'nosniff']);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*(frame-ancestors|sandbox)/);
      expect(headers.get('x-frame-options')).toMatch(/^(DENY|SAMEORIGIN)$/);
      // Forms need their Origin, which `no-referrer` would take away; nothing leaves the site.
      expect(headers.get('referrer-policy')).toBe(isPage(response) ? 'same-origin' : 'no-referrer');
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/);
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      const cookie = headers.get('set-cookie');
      if (isPage(response)) expect(cookie).toMatch(/^spool_\d+=[\w-]*; Path=\/; HttpOnly; SameSite=Lax$/);
      else expect(cookie).toBeNull();
    }
  });

  test.each(routes.filter(({ keyed }) => keyed))(
    'of $method $path is for no page of another site',
    async (route) => {
      const { key } = service.accounts.elite;
      const headers = { origin: 'https://evil.example' };
      const preflight = await service.request(pathOf(route), {
        method: 'OPTIONS',
        headers: {
          ...headers,
          'access-control-request-method': route.method,
          'access-control-request-headers': 'x-api-key',
        },
      });
      expect(preflight.status).toBe(405);
      const answer = await service.request(pathOf(route), { method: route.method, key, headers });
      for (const response of [preflight, answer]) {
        const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect(names).toEqual([]);
        await response.body?.cancel();
      }
    },
  );

  test('to paths and methods that nobody has is as bare', async () => {
    for (const path of ['/nothing', '/task', '/..%2f..%2fetc/passwd', '/internal', '/cdn-cgi/nothing']) {
      const { headers, status } = await service.request(path);
      expect([path, status]).toEqual([path, 404]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

const [KiB, MiB] = [1024, 1024 * 1024];
/** Of the operations whose requests may be larger than others. */
const mostBytes: Record<string, number> = Object.fromEntries(
  Object.values(operations).flatMap((operation) =>
    'mostBytes' in operation && operation.mostBytes ? [[operation.path, operation.mostBytes]] : [],
  ),
);

function limitOf({ path }: Route): number {
  if (path.startsWith('/internal')) return path.endsWith(AI_PATH) ? MAX_AI_REQUEST : MiB;
  // Which operation a message of /mcp calls is known once it is parsed.
  if (path === '/mcp') return Math.max(...Object.values(mostBytes));
  return mostBytes[path] ?? 256 * KiB;
}

describe('a body', () => {
  const withBody = routes.filter(
    ({ method, path }) => method === 'POST' && !/rotate|redeliver|^\/app\//.test(path),
  );

  test.each(withBody)('over the limit is refused by $path before it is parsed', async (route) => {
    const { key } = await service.createAccount('elite');
    const limit = limitOf(route);
    const block = new TextEncoder().encode(' '.repeat(64 * 1024));
    let sent = 0;
    // Its length is not announced.
    const chunked = new ReadableStream({
      pull(controller) {
        if (sent > limit) return controller.close();
        sent += block.length;
        controller.enqueue(block);
      },
    });
    const headers = { 'content-type': 'application/json', ...plausible() };
    for (const body of ['x'.repeat(limit + 1), chunked]) {
      const init = { method: 'POST', key, headers, body, duplex: 'half' };
      const response = await service.request(pathOf(route), init as RequestInit);
      expect(problemSchema.parse(await response.json()).code).toBe('request_too_large');
    }
    const exact = await service.request(pathOf(route), {
      method: 'POST',
      key,
      headers,
      body: 'x'.repeat(limit),
    });
    expect([400, 404]).toContain(exact.status);
  });

  test.each(withBody)('of many levels or with names of Object does no harm at %s', async (route) => {
    const { key } = await service.createAccount('elite');
    const send = (body: string) =>
      service.request(pathOf(route), {
        method: 'POST',
        key,
        body,
        headers: { 'content-type': 'application/json', 'idempotency-key': 'a', ...plausible() },
      });
    for (const body of [
      '['.repeat(100_000) + ']'.repeat(100_000),
      `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
      `{"metadata":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`,
      '{"__proto__":{"video_url":"https://media.example.com/a"},"constructor":{"prototype":{}}}',
      `{"${'k'.repeat(200_000)}":1}`,
      '1e999',
      '"\\ud800"',
      '\ufeff{}',
      'null',
    ]) {
      const { status } = await send(body);
      expect([body.slice(0, 20), status < 500]).toEqual([body.slice(0, 20), true]);
    }
    expect(Reflect.get({}, 'video_url')).toBeUndefined();
  });
});
