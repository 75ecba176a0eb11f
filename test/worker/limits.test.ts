import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import {
  accountRequests,
  addressLimits,
  MAX_PENDING_TEST_EVENTS,
  UNCHECKED_AFTER,
} from '../../schema/api/request-limits.ts';
import { deliveryList } from '../../schema/api/webhook.ts';
import { transitionNames } from '../../schema/media/transitions.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { makeKey } from '../../worker/lib/api-key.ts';
import { exampleOf, type Service, startService, type TestAccount } from '../harness.ts';
import { fill, type Route, routes } from '../security/routes.ts';
import { measured } from './records-at-scale.ts';
import { resultOf, type StandIn, startStandIn } from './stand-in.ts';

let service: Service;
let transcoder: StandIn;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService(
    { TRANSCODER_URL: transcoder.origin },
    { entry: 'test/worker/still-clock-worker.ts' },
  );
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const setClock = (stopped: boolean) => service.request('/clock', { json: { stopped } });
beforeEach(async () => {
  await setClock(true);
});
afterEach(async () => {
  await setClock(false);
});

const named: Record<string, string> = {
  '/transitions/:name{[^/]+\\.mp4}': `${transitionNames[0]}.mp4`,
  '/examples/:file': 'photo.jpg',
  '/samples/:name{[a-z0-9][a-z0-9._-]{0,63}}': 'sample.mp4',
  '/static/:name': 'docs.css',
  '/tools/mp4-to-mp3/:name': 'app.webmanifest',
};
const unknownTask = `task_${'0'.repeat(26)}`;
const segments: Record<string, string> = { attempt: '1', account: 'acct_0' };
const pathOf = ({ path }: Route) => fill(path, (name) => named[path] ?? segments[name] ?? unknownTask);
const title = ({ method, path }: Route) => `${method} ${path}`;

/** What a route counts as is a question to its behavior; these decide it by what they are sent. */
const OWN = [
  'POST /internal/stripe',
  'POST /mcp',
  'GET /task/:id/download',
  'POST /internal/accounts/:account/tasks/:task/attempts/:attempt{[0-9]+}',
  'POST /internal/accounts/:account/tasks/:task/attempts/:attempt{[0-9]+}/ai',
];
const creating = routes.filter(({ operation }) =>
  operationNames.some((name) => name === operation?.operationId),
);
const open = routes.filter((route) => !route.keyed && !OWN.includes(title(route)));
const polling = routes.filter(
  (route) => route.keyed && !creating.includes(route) && title(route) !== 'POST /mcp',
);

let lastAddress = 0;
/** Out of a block for documentation. */
const newAddress = () => `198.51.100.${++lastAddress}`;

const from = (address: string, init: { method?: string; key?: string; json?: unknown } = {}) => ({
  ...init,
  headers: { 'cf-connecting-ip': address },
});

/** Sends as many requests, thirty at a time. @returns how often each status came */
async function flood(count: number, send: () => Promise<Response>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  let left = count;
  const one = async () => {
    while (left-- > 0) {
      const { status, body } = await send();
      await body?.cancel();
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 30 }, one));
  return statuses;
}

async function expectLimited(response: Response, what: string): Promise<void> {
  expect([what, response.status]).toEqual([what, 429]);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(Number(response.headers.get('retry-after')), what).toBeGreaterThanOrEqual(1);
  expect(response.headers.get('ratelimit-policy'), what).toMatch(/^"\w+";q=\d+;w=10$/);
  expect(response.headers.get('ratelimit'), what).toMatch(/^"\w+";r=0;t=\d+$/);
  expect(problemSchema.parse(await response.json()).code).toBe('rate_limited');
}

const rpc = (method: string, params: object = {}, id: number | undefined = 1) => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  method,
  params,
});
const toolCall = (name: string, args: object = {}, id = 1) =>
  rpc('tools/call', { name, arguments: args }, id);

interface Answer {
  id: number;
  error?: { code: number; data?: { code: string } };
  result?: { isError?: boolean; content?: { text: string }[]; tools?: { name: string }[] };
}

async function mcp(key: string, body: unknown): Promise<{ response: Response; answers: Answer[] }> {
  const response = await service.request('/mcp', {
    key,
    json: body,
    headers: { accept: 'application/json, text/event-stream' },
  });
  const text = await response.text();
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data);
  const stream = response.headers.get('content-type') === 'text/event-stream';
  const answers = (stream ? events : [text]).flatMap((one) => JSON.parse(one) as Answer | Answer[]);
  return { response, answers };
}

const isLimited = ({ error, result }: Answer) =>
  error?.data?.code === 'rate_limited' ||
  (result?.isError === true && /"code":"rate_limited"/.test(result.content?.[0]?.text ?? ''));

const spend = async ({ key }: TestAccount, kind: 'polls' | 'creations') => {
  const quota = accountRequests('basic');
  const statuses = await flood(quota, () =>
    kind === 'polls' ? service.request('/tasks', { key }) : service.request('/cut', { key, json: {} }),
  );
  expect(statuses).toEqual({ [kind === 'polls' ? 200 : 422]: quota });
};

describe('every route', () => {
  it('counts as one thing or another', () => {
    expect(open.length + polling.length + creating.length + OWN.length).toBeGreaterThanOrEqual(routes.length);
    expect(creating).toHaveLength(operationNames.length);
    const known = new Set([...open, ...polling, ...creating].map(title));
    for (const route of routes)
      expect([title(route), known.has(title(route)) || OWN.includes(title(route))]).toEqual([
        title(route),
        true,
      ]);
  });

  it('without a key is limited by address, and so are paths that do not exist', async () => {
    const address = newAddress();
    const { requests } = addressLimits.public;
    expect(await flood(requests, () => service.request('/healthz', from(address)))).toEqual({
      200: requests,
    });
    for (const route of open) {
      const { method } = route;
      await expectLimited(await service.request(pathOf(route), from(address, { method })), title(route));
    }
    await expectLimited(await service.request('/nothing', from(address)), 'a path that does not exist');
    await expectLimited(await service.request('/docs', from(address, { method: 'PUT' })), 'a method');
    await expectLimited(
      await service.request(`/task/${unknownTask}/download?file=video&expires=1&signature=x`, from(address)),
      'a signed link',
    );
    expect((await service.request('/healthz', from(newAddress()))).status).toBe(200);
    const { key } = await service.createAccount('basic');
    expect((await service.request('/account', from(address, { key }))).status, 'keys count apart').toBe(200);
  }, 240_000);

  it('with a key is limited by account, polls and attempts to create apart', async () => {
    const account = await service.createAccount('basic');
    const { key } = account;
    await spend(account, 'polls');
    for (const route of polling)
      await expectLimited(await service.request(pathOf(route), { method: route.method, key }), title(route));
    await spend(account, 'creations');
    for (const route of creating)
      await expectLimited(await service.request(pathOf(route), { json: {}, key }), title(route));
    const other = await service.createAccount('basic');
    expect((await service.request('/tasks', { key: other.key })).status).toBe(200);
  }, 120_000);

  it('with a key refuses an address that guesses, and asks the database about a key that was valid', async () => {
    const address = newAddress();
    const [seen, unseen] = [await service.createAccount('basic'), await service.createAccount('basic')];
    expect((await service.request('/account', from(address, { key: seen.key }))).status).toBe(200);
    const { requests } = addressLimits.refused;
    const guess = () => service.request('/account', from(address, { key: makeKey() }));
    expect(await flood(requests, guess)).toEqual({ 401: requests });
    for (const route of [...polling, ...creating]) {
      const init = from(address, { method: route.method, key: makeKey() });
      await expectLimited(await service.request(pathOf(route), init), title(route));
    }
    await expectLimited(await service.request('/mcp', from(address, { json: {}, key: makeKey() })), 'MCP');
    await expectLimited(await service.request('/account', from(address)), 'no key');
    await expectLimited(
      await service.request('/account', from(address, { key: 'x' })),
      'no key by its shape',
    );
    expect((await service.request('/account', from(address, { key: unseen.key }))).status).toBe(200);
    const late = await service.createAccount('basic');
    const rest = await flood(UNCHECKED_AFTER, guess);
    expect(rest).toEqual({ 429: UNCHECKED_AFTER });
    await expectLimited(await service.request('/account', from(address, { key: late.key })), 'an unseen key');
    expect((await service.request('/account', from(newAddress(), { key: late.key }))).status).toBe(200);
    expect((await service.request('/account', from(address, { key: seen.key }))).status).toBe(200);
  }, 120_000);

  it('counts an IPv6 address by its /64', async () => {
    const { requests } = addressLimits.refused;
    let host = 0;
    const guess = () =>
      service.request('/account', from(`2001:db8:1:2::${(++host).toString(16)}`, { key: 'x' }));
    expect(await flood(requests, guess)).toEqual({ 401: requests });
    await expectLimited(await guess(), 'another host of the same /64');
    expect((await service.request('/account', from('2001:db8:1:3::1', { key: 'x' }))).status).toBe(401);
  });
});

describe('links and reports', () => {
  it('that are forged are limited by address; what is signed is taken all the same', async () => {
    const address = newAddress();
    const account = await service.createAccount('elite');
    const { id } = await service.submit('/cut', exampleOf(operations.cut), account.key);
    const job = await transcoder.jobOf(id);
    const link = `/task/${id}/download?file=video&expires=1999999999&signature=${'A'.repeat(43)}`;
    const { pathname } = new URL(job.callback_url);
    const { requests } = addressLimits.refused;
    expect(await flood(requests / 2, () => service.request(link, from(address)))).toEqual({
      403: requests / 2,
    });
    expect(await flood(requests / 2, () => service.request(pathname, from(address, { json: {} })))).toEqual({
      404: requests / 2,
    });
    await expectLimited(await service.request(link, from(address)), 'a link');
    await expectLimited(
      await service.request('/internal/stripe', from(address, { json: {} })),
      'an event that Stripe has not signed',
    );
    for (const path of [pathname, `${pathname}/ai`]) {
      await expectLimited(await service.request(path, from(address, { json: {} })), path);
    }
    const report = { type: 'completed', result: resultOf(job, 'x') } as const;
    const taken = await transcoder.report(job, report, { headers: { 'cf-connecting-ip': address } });
    expect(taken.status).toBe(200);
  });
});

describe('MCP', () => {
  it('counts each message of a batch', async () => {
    const { key } = await service.createAccount('basic');
    const quota = accountRequests('basic');
    const batch = Array.from({ length: 100 }, (_, id) => toolCall('list_tasks', {}, id));
    const first = await mcp(key, batch);
    expect(first.answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(batch.map(({ id }) => id));
    expect(first.answers.filter((answer) => !isLimited(answer))).toHaveLength(quota);
    expect(first.response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(first.response.headers.get('ratelimit')).toMatch(/^"polls";r=0;t=\d+$/);
    const second = await mcp(key, batch);
    expect(second.answers.filter(isLimited)).toHaveLength(100);
  });

  it('limits every tool and every method', async () => {
    const account = await service.createAccount('basic');
    const { key } = account;
    const listed = await mcp((await service.createAccount('basic')).key, rpc('tools/list'));
    const tools = listed.answers[0]?.result?.tools?.map(({ name }) => name) ?? [];
    expect(tools.length).toBeGreaterThan(operationNames.length);
    await spend(account, 'polls');
    await spend(account, 'creations');
    for (const tool of [...tools, ...operationNames, 'no_such_tool']) {
      const { response, answers } = await mcp(key, toolCall(tool));
      expect([tool, response.status, answers.map(isLimited)]).toEqual([tool, 200, [true]]);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    for (const method of ['initialize', 'tools/list', 'ping', 'resources/list', 'no/such']) {
      const { response, answers } = await mcp(key, rpc(method));
      expect([method, response.status, answers.map(isLimited)]).toEqual([method, 429, [true]]);
    }
    const notification = rpc('notifications/initialized');
    const { id: _, ...silent } = notification;
    await expectLimited(await service.request('/mcp', { key, json: silent }), 'a notification');
    const broken = { key, method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
    await expectLimited(await service.request('/mcp', broken), 'a body that is not JSON');
  });
});

describe('test events', () => {
  /** A test event that has failed is restarted only once another one is no longer pending. */
  async function expectNoneRestarted(key: string): Promise<void> {
    const { data } = deliveryList.parse(
      await (await service.request('/webhooks/deliveries', { key })).json(),
    );
    const [one, other] = data.map(({ id }) => id);
    const set = (status: string, id = '') =>
      measured(service, {
        sql: 'update webhook_deliveries set status = ? where id = ?',
        params: [status, id],
      });
    await set('failed', one);
    const again = await service.request('/webhooks/test', {
      key,
      json: { url: 'https://hooks.example.com/a' },
    });
    expect(again.status).toBe(202);
    const restart = () => service.request(`/webhooks/deliveries/${one}/redeliver`, { key, method: 'POST' });
    expect((await restart()).status).toBe(429);
    await set('failed', other);
    expect((await restart()).status).toBe(202);
  }

  it('of an account are a few at once, whoever asks at the same time', async () => {
    const { key } = await service.createAccount('elite');
    const test = () =>
      service.request('/webhooks/test', { key, json: { url: 'https://hooks.example.com/a' } });
    const statuses = await flood(30, test);
    expect(statuses).toEqual({ 202: MAX_PENDING_TEST_EVENTS, 429: 30 - MAX_PENDING_TEST_EVENTS });
    const refused = await test();
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(refused.headers.get('ratelimit')).toBe('"tests";r=0');
    await expectNoneRestarted(key);
    const other = await service.createAccount('elite');
    const { status } = await service.request('/webhooks/test', {
      key: other.key,
      json: { url: 'https://hooks.example.com/a' },
    });
    expect(status).toBe(202);
  });
});
