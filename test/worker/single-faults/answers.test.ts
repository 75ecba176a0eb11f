import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { SINGLE_PUT_BYTES, type Upload } from '../../../schema/api/upload.ts';
import type { TestAccount } from '../../harness.ts';
import { makeKey as keyOnPage, somebody } from '../pages/somebody.ts';
import { resultOf } from '../stand-in.ts';
import { mp4, sha256Of } from '../uploads/stand.ts';
import {
  ask,
  callsOf,
  closeStand,
  failNext,
  openParts,
  rows,
  service,
  startStand,
  transcoder,
} from './stand.ts';

beforeAll(() => startStand());
afterAll(closeStand);

const cut = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };
const mcpCall = (name: string, args: object) => ({
  json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  headers: { accept: 'application/json, text/event-stream' },
});

describe('a request that meets an outage', () => {
  const none = `task_${'0'.repeat(26)}`;
  const cases: [what: string, path: string, match: string, init?: RequestInit & { json?: unknown }][] = [
    ['the database, for the key', '/account', 'D1 select'],
    ['the database, in a poll', `/task/${none}`, 'D1 select'],
    ['the database, in a list', '/tasks', 'D1 select "tasks"'],
    ['the database, within the object of the account', '/cut', 'D1 batch insert into "tasks"', { json: cut }],
    ['the object of the account', '/cut', 'DO ACCOUNT.submit', { json: cut }],
    ['the object, about use', '/account', 'DO ACCOUNT.usage'],
    ['the database, for endpoints', '/webhooks/endpoints', 'D1 select "id", "account_id", "url"'],
    ['the database, for uploads', '/uploads', 'D1 select "id", "account_id", "status"'],
    [
      'the storage, for parts',
      '/uploads',
      'R2 createMultipartUpload',
      {
        json: { file_name: 'talk.mp4', size_bytes: SINGLE_PUT_BYTES + 1 },
      },
    ],
  ];
  it.each(cases)('of %s is answered 503, with the time to wait', async (_, path, match, init = {}) => {
    const account = await service.createAccount('elite');
    await failNext(account, match, 'before', 99);
    const response = await ask(path, account, init);
    const text = await response.text();
    expect(await callsOf(account)).toContainEqual({ label: expect.stringContaining(match), fault: 'before' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(problemSchema.parse(JSON.parse(text))).toMatchObject({ code: 'unavailable', retryable: true });
    expect(text).not.toMatch(/injected|D1|Failed query/);
  });

  it('in a tool gets the same problem, with the time to wait', async () => {
    const account = await service.createAccount('elite');
    await failNext(account, 'DO ACCOUNT.submit', 'before', 99);
    const { headers, json } = mcpCall('cut_video', cut);
    const response = await ask('/mcp', account, { json, headers });
    expect(await response.text()).toMatch(/unavailable.*retry_after_seconds\\":5/);
  });

  it('in the dashboard is shown a page that says so', async () => {
    const one = await somebody(service);
    await failNext(one, 'D1 select', 'before');
    const response = await one.browser.send(`${one.account}/keys`, { headers: { 'x-fault-scope': one.id } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.text()).toContain('Temporarily unavailable');
  });

  it('is not refused where only the time of its key could not be noted', async () => {
    const account = await service.createAccount('elite');
    await failNext(account, 'D1 update "keys"', 'before');
    expect((await ask('/account', account)).status).toBe(200);
    expect(await callsOf(account)).toContainEqual(expect.objectContaining({ fault: 'before' }));
  });

  it('gets a task over MCP without waiting for it where its account does not answer', async () => {
    const account = await service.createAccount('elite');
    const { id } = await service.submit('/cut', cut, account.key);
    await failNext(account, 'DO ACCOUNT.watch', 'before');
    const client = new Client({ name: 'spool-tests', version: '1.0.0' });
    const requestInit = { headers: { 'x-api-key': account.key, 'x-fault-scope': account.id } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
    const result = await client.callTool({ name: 'get_task', arguments: { task_id: id, wait_seconds: 1 } });
    await client.close();
    expect(await callsOf(account)).toContainEqual({ label: 'DO ACCOUNT.watch', fault: 'before' });
    expect(result.structuredContent).toMatchObject({ id });
  });
});

describe('a write whose answer is lost', () => {
  it.each([SINGLE_PUT_BYTES + 1, 1000])('creates an upload of %d bytes, once', async (size_bytes) => {
    const account = await service.createAccount('elite');
    await failNext(account, 'D1 insert into uploads', 'after');
    const response = await ask('/uploads', account, { json: { file_name: 'talk.mp4', size_bytes } });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as Upload;
    expect(await rows('select id from uploads where account_id = ?', account.id)).toEqual([{ id }]);
  });

  it('creates an endpoint, once', async () => {
    const account = await service.createAccount('elite');
    await failNext(account, 'D1 batch insert into "webhook_end', 'after');
    const json = { url: 'https://hooks.example.com/spool' };
    const response = await ask('/webhooks/endpoints', account, { json });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as { id: string };
    expect(await rows('select id from webhook_endpoints where account_id = ?', account.id)).toEqual([{ id }]);
  });

  it('rotates a secret once, so the one that receivers have still works', async () => {
    const account = await service.createAccount('elite');
    const secretOf = async (path: string, method: string) => {
      const response = await ask(path, account, { method });
      expect(response.status).toBe(200);
      return (await response.json()) as { secret: string; previous_valid_until: string | null };
    };
    await secretOf('/webhooks/secret', 'GET');
    await failNext(account, 'D1 batch delete from', 'after');
    const rotated = await secretOf('/webhooks/secret/rotate', 'POST');
    expect(await callsOf(account)).toContainEqual(expect.objectContaining({ fault: 'after' }));
    expect(rotated.previous_valid_until).not.toBeNull();
    expect(await secretOf('/webhooks/secret', 'GET')).toEqual(rotated);
    expect(await rows('select 1 from webhook_secrets where account_id = ?', account.id)).toHaveLength(2);
  });

  it('makes a key that is shown', async () => {
    const one = await somebody(service);
    await one.browser.open(`${one.account}/keys`);
    await failNext(one, 'D1 batch insert into "keys"', 'after');
    const form = { label: 'CI', lifetime: 'never' };
    const response = await one.browser.post(`${one.account}/keys`, form, { 'x-fault-scope': one.id });
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/spool_live_\w+/)]);
    expect(await callsOf(one)).toContainEqual(expect.objectContaining({ fault: 'after' }));
    expect(await rows('select 1 from keys where account_id = ?', one.id)).toHaveLength(1);
  });

  it('rolls a key, and shows the new one', async () => {
    const one = await somebody(service);
    await keyOnPage(one, 'roll me');
    const [{ id } = { id: '' }] = await rows<{ id: string }>(
      'select id from keys where account_id = ?',
      one.id,
    );
    await one.browser.open(`${one.account}/keys`);
    await failNext(one, 'D1 batch insert into "keys"', 'after');
    const path = `${one.account}/keys/${id}/roll`;
    const response = await one.browser.post(path, { overlap: '0' }, { 'x-fault-scope': one.id });
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/spool_live_\w+/)]);
    expect(await callsOf(one)).toContainEqual(expect.objectContaining({ fault: 'after' }));
  });
});

it('an upload in parts that could not be recorded leaves no parts', async () => {
  const account = await service.createAccount('elite');
  await failNext(account, 'D1 insert into uploads', 'before');
  const json = { file_name: 'talk.mp4', size_bytes: SINGLE_PUT_BYTES + 1 };
  const before = await openParts();
  expect((await ask('/uploads', account, { json })).status).toBe(503);
  expect(await callsOf(account)).toContainEqual({ label: 'R2 createMultipartUpload', fault: null });
  expect(await openParts()).toEqual(before);
});

describe('the whole file of an upload', () => {
  /** As after the parts of a large file were joined: the storage knows no checksum. */
  async function joined(account: TestAccount, sha256: string): Promise<string> {
    const json = { file_name: 'talk.mp4', size_bytes: 1000, sha256 };
    const { id } = (await (await ask('/uploads', account, { json })).json()) as Upload;
    const { FILES } = (await service.bindings()) as unknown as {
      FILES: { put(key: string, value: Uint8Array): Promise<unknown> };
    };
    await FILES.put(`u/${id}/file`, mp4());
    return id;
  }
  const complete = (id: string, account: TestAccount) =>
    ask(`/uploads/${id}/complete`, account, { json: {} });
  const reads = async (account: TestAccount) =>
    (await callsOf(account)).filter(({ label }) => label === 'R2 get whole').length;

  it('is read once for all requests that complete it at the same time', async () => {
    const account = await service.createAccount('elite');
    const id = await joined(account, sha256Of(mp4()));
    await failNext(account, 'R2 get whole', 'slow');
    const responses = await Promise.all(Array.from({ length: 5 }, () => complete(id, account)));
    const answers = await Promise.all(responses.map(async (each) => [each.status, await each.json()]));
    for (const answer of answers) expect(answer).toEqual([200, expect.objectContaining({ status: 'ready' })]);
    expect(await reads(account)).toBe(1);
  });

  it('is refused for all of them where its sum is another', async () => {
    const account = await service.createAccount('elite');
    const id = await joined(account, '0'.repeat(64));
    await failNext(account, 'R2 get whole', 'slow');
    const responses = await Promise.all(Array.from({ length: 3 }, () => complete(id, account)));
    for (const response of responses)
      expect(await response.json()).toMatchObject({ code: 'upload_checksum_mismatch' });
    expect(await reads(account)).toBe(1);
  });

  it.each(['R2 get whole', 'D1 update "uploads" set "status"'])(
    'is read again soon where %s failed',
    async (match) => {
      const account = await service.createAccount('elite');
      const id = await joined(account, sha256Of(mp4()));
      await failNext(account, match, 'before');
      expect((await complete(id, account)).status).toBe(503);
      expect(await (await complete(id, account)).json()).toMatchObject({ status: 'ready' });
    },
  );
});

describe('a task whose operation was removed by a later release', () => {
  it('fails with the reason, and is shown wherever tasks are', async () => {
    const account = await service.createAccount('elite');
    transcoder.answer.status = 503;
    const { id } = await service.submit('/cut', cut, account.key);
    await expect.poll(() => transcoder.refused).toBeGreaterThan(0);
    await rows(`update tasks set operation = 'unwind' where id = ?`, id);
    transcoder.answer.status = 202;
    const task = () => service.request(`/task/${id}`, { key: account.key });
    await expect
      .poll(async () => (await (await task()).json()) as object, { timeout: 30_000 })
      .toMatchObject({
        ...{ status: 'failed', operation: 'unwind', endpoint: '/unwind' },
        error: { code: 'internal_error', detail: expect.stringContaining('`unwind`'), retryable: false },
      });
    const list = await service.request('/tasks', { key: account.key });
    expect(await list.json()).toMatchObject({ data: [{ id, status: 'failed' }] });
    const { json, headers } = mcpCall('get_task', { task_id: id });
    const shown = await (await service.request('/mcp', { key: account.key, json, headers })).text();
    expect(shown).toContain('no longer has the operation');
  });

  it('completes where its machine has it already', async () => {
    const account = await service.createAccount('elite');
    const { id } = await service.submit('/cut', cut, account.key);
    const job = await transcoder.jobOf(id);
    await rows(`update tasks set operation = 'unwind' where id = ?`, id);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    expect(await (await service.request(`/task/${id}`, { key: account.key })).json()).toMatchObject({
      status: 'completed',
    });
  });
});
