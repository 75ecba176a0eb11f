import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { usage } from '../../schema/api/usage.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { exampleOf, type Service, startService, type TestAccount } from '../harness.ts';
import { withUrl } from '../with-url.ts';
import { Browser, signIn } from '../worker/pages/browser.ts';
import { pages, pathOf } from '../worker/pages/page-routes.ts';
import { resultOf, type StandIn, startStandIn } from '../worker/stand-in.ts';
import { fill, type Route, routes } from './routes.ts';

let service: Service;
let transcoder: StandIn;
let owner: TestAccount;
let stranger: TestAccount;
/** Everything of the owner's that has an id, and one of the same kind that nobody has. */
let things: { kind: string; id: string; unknown: string }[];
let tried = 0;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const clip = { video_url: 'https://media.example.com/talk.mp4', duration: 5 };

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin, MAIL: 'outbox' });
  owner = await service.createAccount('basic');
  stranger = await service.createAccount('elite');
  things = await ownThings();
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

/** Tasks of every status, uploads, an endpoint and a delivery. */
async function ownThings(): Promise<typeof things> {
  const { key } = owner;
  const json = { url: 'https://hooks.example.com/a', events: ['task.failed'] };
  const endpoint = (await (await service.request('/webhooks/endpoints', { key, json })).json()) as Thing;
  const [completed, failed] = [await task(), await task()];
  const result = resultOf(await transcoder.jobOf(completed), 'a secret of the owner');
  const { FILES } = await service.bindings();
  await FILES.put(result.files[0]?.key ?? '', 'a secret of the owner');
  await transcoder.report(await transcoder.jobOf(completed), { type: 'completed', result });
  await transcoder.report(await transcoder.jobOf(failed), {
    type: 'failed',
    failure: { code: 'source_unreachable', detail: 'It did not answer.', stage: 'fetching' },
  });
  const log = await service.request('/webhooks/deliveries', { key });
  const [delivery] = ((await log.json()) as { data: Thing[] }).data;
  // Two run, the third waits.
  const [running, alsoRunning, waiting] = [await task(), await task(), await task()];
  await transcoder.jobOf(alsoRunning);
  const [ready, empty] = [await upload(), await upload()];
  const content = Buffer.from('WEBVTT secret');
  expect((await fetch(ready.url, { method: 'PUT', body: content, headers: ready.headers })).status).toBe(200);
  const done = await service.request(`/uploads/${ready.id}/complete`, { method: 'POST', key });
  expect(done.status).toBe(200);
  const ids = [
    completed,
    failed,
    running,
    alsoRunning,
    waiting,
    endpoint.id,
    delivery?.id ?? '',
    ready.id,
    empty.id,
  ];
  const kinds = [
    ...[
      'completed task',
      'failed task',
      'running task',
      'running task',
      'waiting task',
      'endpoint',
      'delivery',
    ],
    ...['ready upload', 'waiting upload'],
  ];
  return ids.map((id, index) => ({
    kind: kinds[index] ?? '',
    id,
    unknown: id.replace(/[0-9a-z]{12}$/, '0'.repeat(12)),
  }));
}

let visitor: Browser | undefined;

/** A person with a fresh session and an account of their own. */
async function signedIn(): Promise<Browser> {
  if (!visitor) {
    visitor = new Browser(service);
    await signIn(service, visitor, 'stranger@example.com');
  }
  await visitor.open('/app/settings');
  return visitor;
}

interface Thing {
  id: string;
}

async function upload(): Promise<Thing & { url: string; headers: Record<string, string> }> {
  const json = { file_name: 'talk.vtt', size_bytes: 13 };
  const response = await service.request('/uploads', { key: owner.key, json });
  return (await response.json()) as Thing & { url: string; headers: Record<string, string> };
}

const task = async () => (await service.submit('/cut', { ...clip, callback_url: hook }, owner.key)).id;
const hook = 'https://hooks.example.com/b';

/** All that the database and the bucket hold of the owner. */
async function stateOfOwner(): Promise<unknown> {
  const { DB, FILES } = await service.bindings();
  const tables = [
    'select * from accounts where id = ?',
    'select * from tasks where account_id = ? order by id',
    'select * from keys where account_id = ?',
    'select * from uploads where account_id = ? order by id',
    'select * from usage_days where account_id = ?',
    'select * from members where account_id = ?',
    'select * from invitations where account_id = ?',
    'select * from audit_events where account_id = ?',
    'select * from webhook_endpoints where account_id = ?',
    'select * from webhook_secrets where account_id = ?',
    'select id, event_id, url, created_at from webhook_deliveries where account_id = ? order by id',
  ];
  const rows = await Promise.all(
    tables.map(async (sql) => (await DB.prepare(sql).bind(owner.id).all()).results),
  );
  const lists = await Promise.all(['t/', 'u/'].map((prefix) => FILES.list({ prefix })));
  return { rows, objects: lists.flatMap(({ objects }) => objects.map(({ key }) => key)) };
}

/** The same. The running tasks are alive: none is given up while a stranger asks, however slow the machine is. */
async function stateBeforehand(): Promise<unknown> {
  const alive = { type: 'progress', stage: 'rendering', progress_percent: 50, eta_seconds: null } as const;
  for (const { kind, id } of things) {
    if (kind !== 'running task') continue;
    expect((await transcoder.report(await transcoder.jobOf(id), alive)).ok).toBe(true);
  }
  return stateOfOwner();
}

const keyedWithId = routes.filter(({ path, keyed }) => keyed && path.includes(':'));
const patternOf = ({ operation }: Route) =>
  new RegExp(operation?.parameters?.find((one) => one.in === 'path')?.schema.pattern ?? 'no pattern');

describe('a stranger', () => {
  test.each(keyedWithId)('finds nothing of others at $path ($method)', async (route) => {
    const fitting = things.filter(({ id }) => patternOf(route).test(id));
    expect(fitting, 'the walk has an id for every route').not.toEqual([]);
    const before = await stateBeforehand();
    for (const { kind, id, unknown } of fitting) {
      for (const method of methods) {
        const ask = (other: string) =>
          service.request(
            fill(route.path, () => other),
            { method, key: stranger.key },
          );
        const [foreign, missing] = [await ask(id), await ask(unknown)];
        const what = `${method} ${route.path} of a ${kind}`;
        expect([404, 405], what).toContain(foreign.status);
        expect(foreign.status, what).toBe(missing.status);
        if (method === route.method) expect(foreign.status, what).toBe(404);
        const named = (text: string) =>
          text
            .replaceAll(id, '')
            .replaceAll(unknown, '')
            .replace(/req_\w+/, '');
        expect(named(await foreign.text()), what).toBe(named(await missing.text()));
        tried += 1;
      }
    }
    expect(await stateOfOwner()).toEqual(before);
  });

  test('gets nowhere with ids of others in bodies and queries', async () => {
    const { key } = stranger;
    const before = await stateBeforehand();
    const [completed] = things;
    const endpoint = things.find(({ kind }) => kind === 'endpoint');
    const json = { endpoint_id: endpoint?.id };
    const sent = await service.request('/webhooks/test', { key, json });
    expect(problemSchema.parse(await sent.json()).code).toBe('webhook_endpoint_not_found');
    for (const query of [
      `/webhooks/deliveries?task_id=${completed?.id}`,
      '/webhooks/deliveries',
      '/webhooks/endpoints',
      '/tasks',
      '/uploads',
    ]) {
      const body = await (await service.request(query, { key })).json();
      expect((body as { data: unknown[] }).data, query).toEqual([]);
    }
    const used = await (await service.request('/usage', { key })).json();
    expect(usage.parse(used).days).toEqual([]);
    for (const name of ['get_task', 'cut']) {
      const call = await service.request('/mcp', {
        key,
        json: {
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: {
            name,
            arguments:
              name === 'cut'
                ? { video_url: `task:${completed?.id}`, duration: 1 }
                : { task_id: completed?.id },
          },
        },
        headers: { accept: 'application/json, text/event-stream' },
      });
      expect(await call.text(), name).toMatch(/task_not_found|source_forbidden|validation|source_not_https/);
    }
    expect(await stateOfOwner()).toEqual(before);
  });

  test.each(operationNames)('reads no output of others through the sources of %s', async (name) => {
    const operation = operations[name];
    const sources = operation.sources(operation.input.parse(exampleOf(operation)) as never);
    expect(sources.length).toBeGreaterThan(0);
    const stored = things.filter((thing) => /(task|upload)$/.test(thing.kind));
    for (const { id, unknown, kind } of stored) {
      for (const { pointer } of sources) {
        const answers = [id, unknown].map(async (other) => {
          const json = withUrl(exampleOf(operation), pointer, `${kind.split(' ')[1]}:${other}`);
          const response = await service.request(operation.path, { key: stranger.key, json });
          expect(response.headers.get('content-type')).toBe('application/problem+json');
          return problemSchema.parse(await response.json());
        });
        const [foreign, missing] = await Promise.all(answers);
        expect([kind, foreign?.status, foreign?.code]).toEqual([kind, missing?.status, missing?.code]);
        expect(foreign?.detail.replaceAll(id, '')).toBe(missing?.detail.replaceAll(unknown, ''));
        tried += 1;
      }
    }
  });

  test('gives idempotency keys that are the same as those of others, and both are served', async () => {
    const headers = { 'idempotency-key': 'the-same' };
    const first = await service.request('/cut', { key: owner.key, json: clip, headers });
    const second = await service.request('/cut', { key: stranger.key, json: clip, headers });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(((await first.json()) as Thing).id).not.toBe(((await second.json()) as Thing).id);
  });

  test.each(pages.filter(({ path }) => path.includes(':account')))(
    'who is signed in finds nothing of others at $path ($method)',
    async (page) => {
      const browser = await signedIn();
      const before = await stateBeforehand();
      const idOf = (kind: string) => things.find((thing) => thing.kind === kind)?.id ?? '';
      const of = {
        ...{ key: owner.keyId, person: 'pers_0', invitation: 'inv_0', operation: 'cut' },
        ...{ task: things[0]?.id ?? '', endpoint: idOf('endpoint'), delivery: idOf('delivery') },
        upload: idOf('waiting upload'),
      };
      const [own, missing] = [
        pathOf(page, { ...of, account: owner.id }),
        pathOf(page, { ...of, account: 'acct_0' }),
      ];
      for (const method of methods) {
        const ask = (path: string) =>
          method === 'POST'
            ? browser.post(path, { label: 'x', confirm: 'Test' })
            : browser.send(path, { method });
        const [foreign, unknown] = [await ask(own), await ask(missing)];
        const what = `${method} ${page.path}`;
        expect([404, 405], what).toContain(foreign.status);
        expect(foreign.status, what).toBe(unknown.status);
        if (method.toLowerCase() === page.method) expect(foreign.status, what).toBe(404);
        const named = (text: string) => text.replaceAll(owner.id, 'acct_0').replace(/req_\w+/, '');
        expect(named(await foreign.text()), what).toBe(named(await unknown.text()));
        tried += 1;
      }
      expect(await stateOfOwner()).toEqual(before);
    },
  );

  test('would have found all of it with the key of the owner', async () => {
    for (const { id } of things.filter(({ kind }) => kind.endsWith('task'))) {
      expect((await service.request(`/task/${id}`, { key: owner.key })).status).toBe(200);
    }
    console.log(`${tried} requests of a stranger for things of others, over ${keyedWithId.length} routes`);
  });
});
