import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Upload } from '../../schema/api/upload.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { exampleOf, type Service, startService, type TestAccount } from '../harness.ts';
import { DeclaredAnswers } from './declared.ts';
import { resultOf, type StandIn, startStandIn } from './stand-in.ts';

let service: Service;
let transcoder: StandIn;
let answers: DeclaredAnswers;
let account: TestAccount;

beforeAll(async () => {
  transcoder = await startStandIn({ free: 50 });
  service = await startService({ TRANSCODER_URL: transcoder.origin });
  answers = new DeclaredAnswers((await (await service.request('/openapi.json')).json()) as never);
  account = await service.createAccount('elite');
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

type Init = RequestInit & { key?: string; json?: unknown };

/** Asks, and judges the answer by the document. `path` is one of the document; `at` is its address. */
async function ask(method: string, path: string, { at = path, ...init }: Init & { at?: string } = {}) {
  const response = await service.request(at, { redirect: 'manual', ...init, method });
  return answers.judge(method, path, response);
}

const unknown = {
  task: `task_${'0'.repeat(26)}`,
  upload: `upl_${'0'.repeat(26)}`,
  endpoint: `whe_${'0'.repeat(26)}`,
  delivery: `whd_${'0'.repeat(26)}`,
};
const jsonType = { 'content-type': 'application/json' };

async function completed(content: string): Promise<string> {
  const { id } = await service.submit('/cut', exampleOf(operations.cut), account.key);
  const job = await transcoder.jobOf(id);
  const result = resultOf(job, content);
  await (await service.bindings()).FILES.put(result.files[0]?.key ?? '', content);
  await transcoder.report(job, { type: 'completed', result });
  await service.finished(id, account.key);
  return id;
}

async function failed(): Promise<string> {
  const { id } = await service.submit('/cut', exampleOf(operations.cut), account.key);
  const job = await transcoder.jobOf(id);
  const failure = {
    code: 'source_no_video',
    detail: 'The source has no video.',
    stage: 'analyzing',
  } as const;
  await transcoder.report(job, { type: 'failed', failure });
  await service.finished(id, account.key);
  return id;
}

describe('what the service answers is declared in its OpenAPI document', () => {
  it.each(operationNames)('to POST of %s, whether it is taken or refused', async (name) => {
    const { path } = operations[name];
    const json = exampleOf(operations[name]);
    const { key } = await service.createAccount('elite');
    for (const { input } of operations[name].examples) await ask('POST', path, { json: input, key });
    await ask('POST', path, { json });
    await ask('POST', path, { json, key: 'wrong' });
    await ask('POST', path, { json: {}, key });
    await ask('POST', path, { json: { ...json, surprise: 1, metadata: { a: 1 } }, key });
    await ask('POST', path, { body: '{', headers: jsonType, key });
    await ask('POST', path, { body: '[]', headers: jsonType, key });
    await ask('POST', path, { body: '{}', headers: { 'content-type': 'text/plain' }, key });
    await ask('POST', path, { json: { ...json, pad: 'x'.repeat(300_000) }, key });
    const headers = { 'idempotency-key': 'a' };
    await ask('POST', path, { json, key, headers });
    await ask('POST', path, { json, key, headers });
    await ask('POST', path, { json: { ...json, output_name: 'other' }, key, headers });
    await ask('POST', path, {
      json,
      key: (await service.createAccount('basic', { subscription: 'inactive' })).key,
    });
    await ask('POST', path, { json, key: (await service.createAccount('basic')).key });
    expect(answers.violations).toEqual([]);
  });

  it('to a request over a limit', async () => {
    const { key } = await service.createAccount('basic');
    const statuses: number[] = [];
    for (let index = 0; index < 35; index++)
      statuses.push((await ask('POST', '/cut', { json: exampleOf(operations.cut), key })).status);
    expect(statuses).toContain(429);
    expect(answers.violations).toEqual([]);
  });

  it('about tasks and their files', async () => {
    const { key } = account;
    const done = await completed('0123456789');
    const broken = await failed();
    const { id: waiting } = await service.submit('/cut', exampleOf(operations.cut), key);
    for (const id of [done, broken, waiting, unknown.task, 'nonsense']) {
      await ask('GET', '/task/{id}', { at: `/task/${id}`, key });
      await ask('GET', '/task/{id}', { at: `/task/${id}` });
      await ask('GET', '/task/{id}/download', { at: `/task/${id}/download`, key });
      await ask('GET', '/task/{id}/download', { at: `/task/${id}/download` });
    }
    await ask('GET', '/task/{id}', { at: `/task/${done}?wait_seconds=1`, key });
    await ask('GET', '/task/{id}', { at: `/task/${done}?wait_seconds=x`, key });
    const file = (query: string, headers: Record<string, string> = {}) =>
      ask('GET', '/task/{id}/download', { at: `/task/${done}/download${query}`, key, headers });
    const etag = (await file('?file=video')).headers.get('etag') ?? '';
    await file('?file=none');
    await file('?signature=x&expires=1');
    await file('?signature=x&expires=99999999999');
    await file('', { range: 'bytes=1-2' });
    await file('', { range: 'bytes=100-' });
    await file('', { 'if-none-match': etag });
    for (const id of [done, broken, unknown.task]) {
      const events = await ask('GET', '/task/{id}/events', { at: `/task/${id}/events`, key });
      await events.body?.cancel();
    }
    await ask('GET', '/task/{id}/events', { at: `/task/${done}/events` });
    for (const query of ['', '?limit=1', '?status=failed&operation=cut', '?limit=0', '?cursor=x', '?color=1'])
      await ask('GET', '/tasks', { at: `/tasks${query}`, key });
    await ask('GET', '/tasks');
    const { DB } = await service.bindings();
    await DB.prepare('update tasks set expires_at = 1 where id = ?').bind(done).run();
    await file('');
    for (const id of [waiting, done, done, unknown.task])
      await ask('DELETE', '/task/{id}', { at: `/task/${id}`, key });
    await ask('DELETE', '/task/{id}', { at: `/task/${broken}` });
    expect(answers.violations).toEqual([]);
  });

  it('about uploads', async () => {
    const { key } = account;
    const bytes = Buffer.concat([
      Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'),
      Buffer.alloc(1000),
    ]);
    const create = (json: unknown) => ask('POST', '/uploads', { json, key });
    const complete = (id: string, body: unknown = {}) =>
      ask('POST', '/uploads/{id}/complete', { at: `/uploads/${id}/complete`, json: body, key });
    const upload = (await (await create({ file_name: 'a.mp4', size_bytes: bytes.length })).json()) as Upload;
    const large = (await (await create({ file_name: 'a.mp4', size_bytes: 200_000_000 })).json()) as Upload;
    await create({ file_name: '../a', size_bytes: 0 });
    await create({ file_name: 'a.mp4', size_bytes: 1e15 });
    await ask('POST', '/uploads', { json: {} });
    await ask('POST', '/uploads', { body: '{', headers: jsonType, key });
    await ask('POST', '/uploads', { body: '{}', headers: { 'content-type': 'text/plain' }, key });
    await complete(upload.id);
    await fetch(upload.url ?? '', { method: 'PUT', body: bytes, headers: upload.headers });
    await complete(upload.id);
    await complete(large.id, { parts: [{ number: 1, etag: 'x' }] });
    await complete(large.id, { parts: 1 });
    await complete(unknown.upload);
    for (const id of [upload.id, large.id, unknown.upload]) {
      await ask('GET', '/uploads/{id}', { at: `/uploads/${id}`, key });
      await ask('GET', '/uploads/{id}', { at: `/uploads/${id}` });
    }
    for (const query of ['', '?limit=1', '?limit=x'])
      await ask('GET', '/uploads', { at: `/uploads${query}`, key });
    await ask('GET', '/uploads');
    for (const id of [upload.id, large.id, unknown.upload]) {
      await ask('DELETE', '/uploads/{id}', { at: `/uploads/${id}`, key });
      await ask('DELETE', '/uploads/{id}', { at: `/uploads/${id}` });
    }
    expect(answers.violations).toEqual([]);
  });

  it('about webhooks', async () => {
    const { key } = account;
    const endpoints = '/webhooks/endpoints';
    const url = 'https://hooks.example.com/spool';
    const made = (await (await ask('POST', endpoints, { json: { url }, key })).json()) as { id: string };
    await ask('POST', endpoints, { json: { url: 'ftp://x' }, key });
    await ask('POST', endpoints, { json: { url } });
    await ask('POST', endpoints, { body: '{', headers: jsonType, key });
    await ask('POST', endpoints, { body: '{}', headers: { 'content-type': 'text/plain' }, key });
    for (const given of [{ key }, {}]) {
      await ask('GET', endpoints, given);
      await ask('GET', '/webhooks/secret', given);
      await ask('POST', '/webhooks/secret/rotate', given);
      await ask('GET', '/webhooks/deliveries', given);
    }
    await ask('GET', '/webhooks/deliveries', { at: '/webhooks/deliveries?limit=0', key });
    const test = (json: unknown) => ask('POST', '/webhooks/test', { json, key });
    const sent = (await (await test({ endpoint_id: made.id })).json()) as { id: string };
    await test({ endpoint_id: unknown.endpoint });
    await test({});
    for (const id of [sent.id, unknown.delivery])
      await ask('POST', '/webhooks/deliveries/{id}/redeliver', {
        at: `/webhooks/deliveries/${id}/redeliver`,
        key,
      });
    for (const id of [made.id, made.id])
      await ask('DELETE', `${endpoints}/{id}`, { at: `${endpoints}/${id}`, key });
    expect(answers.violations).toEqual([]);
  });

  it('about the account and itself', async () => {
    const { key } = account;
    for (const given of [{ key }, {}, { key: 'wrong' }]) {
      await ask('GET', '/account', given);
      await ask('GET', '/usage', given);
    }
    for (const query of ['?from=2026-11-01&to=2026-11-02', '?from=x', '?from=2020-01-01&to=2026-01-01'])
      await ask('GET', '/usage', { at: `/usage${query}`, key });
    const open = ['/healthz', '/readyz', '/capabilities', '/', '/openapi.json', '/llms.txt', '/status.json'];
    for (const path of open) await ask('GET', path);
    for (const path of ['/', '/openapi.json', '/llms.txt']) {
      const etag = (await service.request(path)).headers.get('etag') ?? '';
      await ask('GET', path, { headers: { 'if-none-match': etag } });
    }
    await ask('GET', '/', { headers: { accept: 'text/html' } });
    for (const name of ['fade', 'nothing'])
      await ask('GET', '/transitions/{name}.mp4', { at: `/transitions/${name}.mp4` });
    for (const file of ['none.mp4']) await ask('GET', '/examples/{file}', { at: `/examples/${file}` });
    expect(answers.violations).toEqual([]);
  });

  it('to a parameter that no route has', async () => {
    const { key } = await service.createAccount('elite');
    const routes = answers.declared.filter((name) => name.endsWith(' 401') && !name.endsWith('/mcp 401'));
    expect(routes.length).toBeGreaterThan(35);
    const id = await service.submit('/cut', exampleOf(operations.cut), key);
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      const at = path.replace('/task/{id}', `/task/${id.id}`).replace('{id}', unknown.upload);
      const response = await ask(method.toUpperCase(), path, {
        ...{ at: `${at}?color=1`, key },
        ...(method === 'post' ? { json: {} } : {}),
      });
      expect([route, response.status]).toEqual([route, 422]);
      expect(await response.json()).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/color', code: 'unknown_field' }],
      });
    }
    const twice = await service.request(`/task/${id.id}?wait_seconds=1&wait_seconds=2`, { key });
    expect(await twice.json()).toMatchObject({ detail: '/wait_seconds is given 2 times; give it once.' });
    const inQuery = await service.request('/cut?start=1', { json: exampleOf(operations.cut), key });
    expect(await inQuery.json()).toMatchObject({
      detail: '/start is in the query string, where this request has no fields. Send it in the JSON body.',
    });
    const near = await service.request(`/task/${id.id}?wait=1`, { key });
    expect(await near.json()).toMatchObject({
      detail: '/wait is not a field of this request. Did you mean `wait_seconds`?',
    });
    expect(answers.violations).toEqual([]);
  });

  it('in 300 answers and more, of every route', () => {
    const routes = (names: string[]) => [...new Set(names.map((name) => name.replace(/ \d+$/, '')))].sort();
    const seen = [...answers.seen.keys()];
    expect(answers.count).toBeGreaterThanOrEqual(300);
    expect(seen.length, 'routes with a status').toBeGreaterThanOrEqual(180);
    const unasked = routes(answers.declared).filter((name) => !routes(seen).includes(name));
    // Its messages belong to the protocol: test/worker/surfaces.test.ts.
    expect(unasked).toEqual(['post /mcp']);
  });
});
