import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import {
  ATTEMPT_DELAYS,
  type Delivery,
  deliveryList,
  delivery as deliverySchema,
  endpointList,
  endpoint as endpointSchema,
  LOG_DAYS,
  MAX_ENDPOINTS,
  ROTATION_SECONDS,
  webhookEvent,
  webhookSecret,
} from '../../../schema/api/webhook.ts';
import { task as taskSchema } from '../../../schema/task/task.ts';
import type { Job } from '../../../schema/task/wire.ts';
import { type Service, sleep, startService, type TestAccount } from '../../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

let service: Service;
let transcoder: StandIn;
let receiver: Receiver;
const cut = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };

beforeAll(async () => {
  transcoder = await startStandIn();
  receiver = await startReceiver();
  service = await startService({
    TRANSCODER_URL: transcoder.origin,
    SPOOL_DEV_ORIGINS: receiver.origin,
    WEBHOOK_TIMEOUT_SECONDS: '3',
  });
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
  await receiver.close();
});

let paths = 0;
/** An address of the receiver that no other test uses. */
function address(answer?: Parameters<Receiver['answers']['set']>[1]): { path: string; url: string } {
  paths += 1;
  const path = `/hook-${paths}`;
  if (answer) receiver.answers.set(path, answer);
  return { path, url: `${receiver.origin}${path}` };
}

async function until(check: () => Promise<boolean> | boolean, seconds = 20): Promise<void> {
  for (let tries = 0; tries < seconds * 20; tries++) {
    if (await check()) return;
    await sleep(50);
  }
  throw new Error(`it did not come to pass within ${seconds} s`);
}

async function start(key: string, more: object = {}): Promise<{ id: string; job: Job }> {
  const { id } = await service.submit('/cut', { ...cut, ...more }, key);
  return { id, job: await transcoder.jobOf(id) };
}

const complete = (job: Job) => transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
const fail = (job: Job) =>
  transcoder.report(job, {
    type: 'failed',
    failure: { code: 'source_unreachable', detail: 'It did not answer.', stage: 'fetching' },
  });

async function log(key: string, query = ''): Promise<Delivery[]> {
  const response = await service.request(`/webhooks/deliveries${query}`, { key });
  expect(response.status).toBe(200);
  return deliveryList.parse(await response.json()).data;
}

/** The only delivery of an account, once it is as wanted. */
async function deliveryWhen(key: string, want: (one: Delivery) => boolean): Promise<Delivery> {
  await until(async () => (await log(key)).some(want));
  const found = await log(key);
  expect(found).toHaveLength(1);
  return found[0] as Delivery;
}

const secretOf = async (key: string) =>
  webhookSecret.parse(await (await service.request('/webhooks/secret', { key })).json());
const rotate = async (key: string) =>
  webhookSecret.parse(
    await (await service.request('/webhooks/secret/rotate', { method: 'POST', key })).json(),
  );
const createEndpoint = async (key: string, url: string, events?: string[]) => {
  const response = await service.request('/webhooks/endpoints', { key, json: { url, events } });
  expect(response.status).toBe(201);
  return endpointSchema.parse(await response.json());
};
const redeliver = (id: string, key: string) =>
  service.request(`/webhooks/deliveries/${id}/redeliver`, { method: 'POST', key });

/** Throws where the signature is not good. */
const verified = (secret: string, { body, headers }: Received) =>
  webhookEvent.parse(new Webhook(secret).verify(body, headers));

/** As if so many milliseconds had gone by for the deliveries of an account. */
async function age({ id }: TestAccount, ms: number): Promise<void> {
  const { DB } = await service.bindings();
  await DB.prepare(
    'update webhook_deliveries set next_attempt_at = next_attempt_at - ?, created_at = created_at - ? where account_id = ?',
  )
    .bind(ms, ms, id)
    .run();
}
const sweep = () => service.harness.getWorker().scheduled({ cron: '*/5 * * * *', scheduledTime: new Date() });

describe('the end of a task', () => {
  it('is told to its callback_url, signed so that an independent receiver accepts it', async () => {
    const account = await service.createAccount('elite');
    const { path, url } = address();
    const { id, job } = await start(account.key, { callback_url: `${url}` });
    expect(job.input).not.toHaveProperty('callback_url');
    expect((await complete(job)).status).toBe(200);
    await until(() => receiver.at(path).length === 1);
    const [sent] = receiver.at(path) as [Received];
    const { secret } = await secretOf(account.key);
    const event = verified(secret, sent);
    expect(event).toMatchObject({ type: 'task.completed', id: sent.headers['webhook-id'] });
    const task = taskSchema.parse(await (await service.request(`/task/${id}`, { key: account.key })).json());
    expect(event.data.object).toEqual(task);
    expect(sent.headers['content-type']).toBe('application/json');
    expect(() => verified(secret, { ...sent, body: sent.body.replace('completed', 'failed') })).toThrow();
    expect(await deliveryWhen(account.key, (one) => one.status === 'delivered')).toMatchObject({
      event_id: event.id,
      event_type: 'task.completed',
      task_id: id,
      endpoint_id: null,
      attempts: 1,
      last_status_code: 204,
      last_error: null,
      next_attempt_at: null,
    });
  });

  it('is told to the endpoints that want it, in the same event, and to one address once', async () => {
    const { key } = await service.createAccount('elite');
    const [all, failures, completions] = [address(), address(), address()];
    await createEndpoint(key, all.url);
    await createEndpoint(key, failures.url, ['task.failed']);
    await createEndpoint(key, completions.url, ['task.completed']);
    const { id, job } = await start(key, { callback_url: all.url });
    expect((await fail(job)).status).toBe(200);
    await until(async () => (await log(key)).every((one) => one.status === 'delivered'));
    expect(await log(key)).toHaveLength(2);
    const [first, ...others] = receiver.at(all.path) as [Received];
    expect(others).toEqual([]);
    const event = verified((await secretOf(key)).secret, first);
    expect(event).toMatchObject({ type: 'task.failed', data: { object: { id, status: 'failed' } } });
    expect(receiver.at(failures.path).map(({ headers }) => headers['webhook-id'])).toEqual([event.id]);
    expect(receiver.at(completions.path)).toEqual([]);
  });

  it('makes one event, however often and by whom it is reported', async () => {
    const { key } = await service.createAccount('elite');
    const { url } = address();
    const { job: first, id } = await start(key, { callback_url: url });
    await transcoder.report(first, { type: 'released' });
    const second = await transcoder.jobOf(id, 2);
    expect((await complete(first)).status).toBe(409);
    expect(await log(key)).toEqual([]);
    const reports = await Promise.all([complete(second), complete(second), complete(first)]);
    expect(reports.map(({ status }) => status)).toEqual([200, 200, 409]);
    await createEndpoint(key, address().url);
    expect((await complete(second)).status).toBe(200);
    await fail(second);
    expect(await service.finished(id, key)).toMatchObject({ status: 'completed' });
    expect(await log(key)).toHaveLength(1);
  });

  it('is told to nobody where nobody asked', async () => {
    const { key } = await service.createAccount('elite');
    const { job } = await start(key);
    expect((await complete(job)).status).toBe(200);
    expect(await log(key)).toEqual([]);
  });

  it('is told by the sweeper where the queue never heard of it', async () => {
    const account = await service.createAccount('elite');
    const { path, url } = address();
    const { DB } = await service.bindings();
    const now = Date.now();
    await DB.prepare(
      `insert into webhook_deliveries (id, account_id, event_id, type, url, status, attempts, step, next_attempt_at, created_at)
       values (?, ?, ?, 'webhook.test', ?, 'pending', 0, 0, ?, ?)`,
    )
      .bind(`whd_${'0'.repeat(26)}`, account.id, `evt_${'0'.repeat(26)}`, url, now, now)
      .run();
    await sweep();
    await sleep(300);
    expect(receiver.at(path)).toEqual([]);
    await age(account, 61_000);
    await Promise.all([sweep(), sweep()]);
    const { attempts } = await deliveryWhen(account.key, (one) => one.status === 'delivered');
    expect(attempts).toBe(1);
    expect(receiver.at(path)).toHaveLength(1);
  });
});

describe('a receiver', () => {
  it('that answers 500 and then 200 is sent the same event again after 5 seconds', async () => {
    const { key } = await service.createAccount('elite');
    let answers = 0;
    const { path, url } = address((response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 500 : 200).end('x'.repeat(100_000));
    });
    const { job } = await start(key, { callback_url: url });
    await complete(job);
    const between = await deliveryWhen(key, (one) => one.attempts === 1);
    expect(between).toMatchObject({ status: 'pending', last_status_code: 500, last_error: 'http_error' });
    const done = await deliveryWhen(key, (one) => one.status === 'delivered');
    expect(done).toMatchObject({ attempts: 2, last_status_code: 200, last_error: null });
    const [first, second] = receiver.at(path) as [Received, Received];
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.body).toBe(first.body);
    verified((await secretOf(key)).secret, second);
    expect(
      Date.parse(done.last_attempt_at ?? '') - Date.parse(between.last_attempt_at ?? ''),
    ).toBeGreaterThanOrEqual(5000);
  });

  it('that does not recover is tried after each of the delays, and then no more', async () => {
    const account = await service.createAccount('elite');
    const { path, url } = address((response) => response.writeHead(503).end());
    const { job } = await start(account.key, { callback_url: url });
    await complete(job);
    for (const [index, delay] of ATTEMPT_DELAYS.slice(1).entries()) {
      const waiting = await deliveryWhen(account.key, (one) => one.attempts === index + 1);
      expect(waiting).toMatchObject({ status: 'pending', last_status_code: 503, last_error: 'http_error' });
      const waits = Date.parse(waiting.next_attempt_at ?? '') - Date.parse(waiting.last_attempt_at ?? '');
      expect(waits).toBeGreaterThanOrEqual(delay * 1000);
      expect(waits).toBeLessThan(delay * 1000 + 60_000);
      await age(account, (delay + 120) * 1000);
      await sweep();
    }
    const last = await deliveryWhen(account.key, (one) => one.status === 'failed');
    expect(last).toMatchObject({ attempts: ATTEMPT_DELAYS.length, next_attempt_at: null });
    expect(receiver.at(path)).toHaveLength(ATTEMPT_DELAYS.length);
  });

  it('that is slower than the limit has not received it', async () => {
    const { key } = await service.createAccount('elite');
    const { path, url } = address((response) => void setTimeout(() => response.writeHead(200).end(), 5000));
    const { job } = await start(key, { callback_url: url });
    await complete(job);
    const tried = await deliveryWhen(key, (one) => one.attempts === 1);
    expect(tried).toMatchObject({ status: 'pending', last_status_code: null, last_error: 'timed_out' });
    expect(receiver.at(path)).toHaveLength(1);
  });

  it('that answers 410 is not tried again, and its endpoint is disabled', async () => {
    const { key } = await service.createAccount('elite');
    const { path, url } = address((response) => response.writeHead(410).end());
    const { id } = await createEndpoint(key, url);
    await complete((await start(key)).job);
    const tried = await deliveryWhen(key, (one) => one.attempts === 1);
    expect(tried).toMatchObject({ status: 'failed', last_status_code: 410, last_error: 'gone' });
    const { data } = endpointList.parse(await (await service.request('/webhooks/endpoints', { key })).json());
    expect(data).toEqual([expect.objectContaining({ id, status: 'disabled' })]);
    await complete((await start(key)).job);
    expect(await log(key)).toHaveLength(1);
    expect((await redeliver(tried.id, key)).status).toBe(202);
    const again = await deliveryWhen(key, (one) => one.last_error === 'endpoint_disabled');
    expect(again).toMatchObject({ status: 'failed', attempts: 1 });
    expect(receiver.at(path)).toHaveLength(1);
  });

  it('at an address that is not allowed any more is not connected to', async () => {
    const account = await service.createAccount('elite');
    const canary = await startReceiver();
    const { url } = address((response) => response.writeHead(500).end());
    await complete((await start(account.key, { callback_url: url })).job);
    await deliveryWhen(account.key, (one) => one.attempts === 1);
    const { DB } = await service.bindings();
    await DB.prepare('update webhook_deliveries set url = ? where account_id = ?')
      .bind(`${canary.origin}/`, account.id)
      .run();
    const refused = await deliveryWhen(account.key, (one) => one.status !== 'pending');
    expect(canary.received).toEqual([]);
    expect(refused).toMatchObject({ last_error: 'address_forbidden', status: 'failed', attempts: 1 });
    await canary.close();
  });
});

describe('an address that is given', () => {
  it.each([
    ['http://hooks.example.com/a', 'url_not_https'],
    ['https://127.0.0.1/a', 'url_forbidden'],
    ['https://169.254.169.254/latest', 'url_forbidden'],
    ['https://hooks.localhost/a', 'url_forbidden'],
    ['https://user:pass@hooks.example.com/a', 'url_forbidden'],
    ['https://hooks.example.com:8443/a', 'url_forbidden'],
  ])('as %s is refused as %s, by the name of its field', async (url, code) => {
    const { key } = service.accounts.elite;
    for (const [path, body, pointer] of [
      ['/cut', { ...cut, callback_url: url }, '/callback_url'],
      ['/webhooks/endpoints', { url }, '/url'],
      ['/webhooks/test', { url }, '/url'],
    ] as const) {
      const response = await service.request(path, { key, json: body });
      expect(response.status).toBe(422);
      expect(problemSchema.parse(await response.json())).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer, code }],
      });
    }
  });

  it('keeps its query string to itself', async () => {
    const { key } = await service.createAccount('elite');
    const { path, url } = address();
    const endpoint = await createEndpoint(key, `${url}?token=secret`);
    expect(endpoint.url).toBe(`${url}?redacted`);
    const { job, id } = await start(key, { callback_url: `${url}?token=other` });
    await complete(job);
    await until(() => receiver.received.filter((one) => one.path.startsWith(path)).length === 2);
    expect((await log(key)).map((one) => one.url)).toEqual([`${url}?redacted`, `${url}?redacted`]);
    const task = taskSchema.parse(await (await service.request(`/task/${id}`, { key })).json());
    expect(task.input.callback_url).toBe(`${url}?redacted`);
  });
});

describe('the secret', () => {
  it('is the same at every look, another for every account, and not stored as it is', async () => {
    const [one, other] = [await service.createAccount('elite'), await service.createAccount('elite')];
    const looks = await Promise.all([secretOf(one.key), secretOf(one.key), secretOf(one.key)]);
    expect(new Set(looks.map(({ secret }) => secret)).size).toBe(1);
    expect((await secretOf(other.key)).secret).not.toBe(looks[0].secret);
    const { DB } = await service.bindings();
    const { results } = await DB.prepare('select sealed from webhook_secrets where account_id = ?')
      .bind(one.id)
      .all<{ sealed: string }>();
    expect(results).toHaveLength(1);
    const secret = looks[0].secret.slice('whsec_'.length);
    expect(atob(results[0]?.sealed ?? '')).not.toContain(atob(secret));
    expect(results[0]?.sealed).not.toContain(secret);
  });

  it('is valid for a day beside the one that takes its place, and no third one is', async () => {
    const { key } = await service.createAccount('elite');
    const oldest = await secretOf(key);
    expect(oldest.previous_valid_until).toBeNull();
    const middle = await rotate(key);
    expect(Date.parse(middle.previous_valid_until ?? '') - Date.parse(middle.created_at)).toBe(
      ROTATION_SECONDS * 1000,
    );
    const { path, url } = address();
    const test = () => service.request('/webhooks/test', { key, json: { url } });
    await test();
    await until(() => receiver.at(path).length === 1);
    const [during] = receiver.at(path) as [Received];
    expect(during.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    verified(oldest.secret, during);
    verified(middle.secret, during);

    const newest = await rotate(key);
    expect(await secretOf(key)).toEqual(newest);
    await test();
    await until(() => receiver.at(path).length === 2);
    const [, after] = receiver.at(path) as [Received, Received];
    verified(newest.secret, after);
    verified(middle.secret, after);
    expect(() => verified(oldest.secret, after)).toThrow();
  });

  it('ends with its day', async () => {
    const account = await service.createAccount('elite');
    const old = await secretOf(account.key);
    const fresh = await rotate(account.key);
    const { DB } = await service.bindings();
    await DB.prepare('update webhook_secrets set expires_at = ? where account_id = ? and expires_at > 0')
      .bind(Date.now() - 1, account.id)
      .run();
    const { path, url } = address();
    await service.request('/webhooks/test', { key: account.key, json: { url } });
    await until(() => receiver.at(path).length === 1);
    const [sent] = receiver.at(path) as [Received];
    verified(fresh.secret, sent);
    expect(() => verified(old.secret, sent)).toThrow();
    await sweep();
    const { results } = await DB.prepare('select created_at from webhook_secrets where account_id = ?')
      .bind(account.id)
      .all();
    expect(results).toHaveLength(1);
  });
});

describe('the log', () => {
  it('is read page by page, newest first, by task and by status', async () => {
    const { key } = await service.createAccount('elite');
    const [good, bad] = [address(), address((response) => response.writeHead(410).end())];
    const ids: string[] = [];
    for (const url of [good.url, bad.url, good.url]) {
      const { id, job } = await start(key, { callback_url: url });
      await complete(job);
      ids.push(id);
    }
    await until(async () => (await log(key)).every(({ status }) => status !== 'pending'));
    const tasks = async (query: string) => (await log(key, query)).map(({ task_id }) => task_id);
    expect(await tasks('')).toEqual([...ids].reverse());
    expect(await tasks('?status=failed')).toEqual([ids[1]]);
    expect(await tasks(`?task_id=${ids[0]}`)).toEqual([ids[0]]);
    const page = deliveryList.parse(
      await (await service.request('/webhooks/deliveries?limit=2', { key })).json(),
    );
    expect(page.data.map(({ task_id }) => task_id)).toEqual([ids[2], ids[1]]);
    const rest = deliveryList.parse(
      await (
        await service.request(`/webhooks/deliveries?limit=2&cursor=${page.next_cursor}`, { key })
      ).json(),
    );
    expect([rest.data.map(({ task_id }) => task_id), rest.next_cursor]).toEqual([[ids[0]], null]);
    expect((await service.request('/webhooks/deliveries?limit=0', { key })).status).toBe(422);
  });

  it('starts a delivery anew on demand, also after it has been given up', async () => {
    const account = await service.createAccount('elite');
    let status = 410;
    const { path, url } = address((response) => response.writeHead(status).end());
    await complete((await start(account.key, { callback_url: url })).job);
    const failed = await deliveryWhen(account.key, (one) => one.status === 'failed');
    status = 200;
    const response = await redeliver(failed.id, account.key);
    expect(response.status).toBe(202);
    expect(deliverySchema.parse(await response.json())).toMatchObject({ id: failed.id, status: 'pending' });
    const delivered = await deliveryWhen(account.key, (one) => one.status === 'delivered');
    expect(delivered).toMatchObject({ attempts: 2, event_id: failed.event_id });
    expect(receiver.at(path).map(({ headers }) => headers['webhook-id'])).toEqual([
      failed.event_id,
      failed.event_id,
    ]);
  });

  it('says so where the task was deleted before it could be told', async () => {
    const { key } = await service.createAccount('elite');
    const { path, url } = address((response) => response.writeHead(500).end());
    const { id, job } = await start(key, { callback_url: url });
    await complete(job);
    await deliveryWhen(key, (one) => one.attempts === 1);
    expect((await service.request(`/task/${id}`, { method: 'DELETE', key })).status).toBe(200);
    const ended = await deliveryWhen(key, (one) => one.status === 'failed');
    expect(ended).toMatchObject({ last_error: 'task_deleted', attempts: 1 });
    expect(receiver.at(path)).toHaveLength(1);
  });

  it('is kept for a month', async () => {
    const account = await service.createAccount('elite');
    await complete((await start(account.key, { callback_url: address().url })).job);
    await deliveryWhen(account.key, (one) => one.status === 'delivered');
    await age(account, (LOG_DAYS * 24 * 3600 - 60) * 1000);
    await sweep();
    expect(await log(account.key)).toHaveLength(1);
    await age(account, 120_000);
    await sweep();
    expect(await log(account.key)).toEqual([]);
  });
});

describe('an endpoint', () => {
  it('is tested by an event of its own', async () => {
    const account = await service.createAccount('elite');
    const { path, url } = address();
    const { id } = await createEndpoint(account.key, url, ['task.failed']);
    const response = await service.request('/webhooks/test', { key: account.key, json: { endpoint_id: id } });
    expect(response.status).toBe(202);
    await until(() => receiver.at(path).length === 1);
    const event = verified((await secretOf(account.key)).secret, receiver.at(path)[0] as Received);
    expect(event).toMatchObject({
      type: 'webhook.test',
      data: { object: { object: 'account', id: account.id } },
    });
    for (const json of [{}, { endpoint_id: id, url }]) {
      expect((await service.request('/webhooks/test', { key: account.key, json })).status).toBe(422);
    }
  });

  it('is one of ten at most, also where they are made at once', async () => {
    const { key } = await service.createAccount('elite');
    const made = await Promise.all(
      Array.from({ length: MAX_ENDPOINTS + 2 }, () =>
        service.request('/webhooks/endpoints', { key, json: { url: address().url } }),
      ),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(MAX_ENDPOINTS);
    expect(made.filter(({ status }) => status === 422)).toHaveLength(2);
  });

  it('that was deleted hears nothing more, also not what was under way', async () => {
    const { key } = await service.createAccount('elite');
    const { path, url } = address((response) => response.writeHead(500).end());
    const { id } = await createEndpoint(key, url);
    await complete((await start(key)).job);
    await deliveryWhen(key, (one) => one.attempts === 1);
    const remove = () => service.request(`/webhooks/endpoints/${id}`, { method: 'DELETE', key });
    expect(await (await remove()).json()).toEqual({ object: 'webhook_endpoint', id, deleted: true });
    expect((await remove()).status).toBe(404);
    await deliveryWhen(key, (one) => one.last_error === 'endpoint_deleted');
    await complete((await start(key)).job);
    expect(await log(key)).toHaveLength(1);
    expect(receiver.at(path)).toHaveLength(1);
  });

  it('of another account is as one that does not exist, and so is a delivery', async () => {
    const [owner, stranger] = [await service.createAccount('elite'), await service.createAccount('elite')];
    const endpoint = await createEndpoint(owner.key, address().url);
    await complete((await start(owner.key)).job);
    const { id } = await deliveryWhen(owner.key, (one) => one.status === 'delivered');
    const zeros = '0'.repeat(26);
    const code = async (response: Response) => problemSchema.parse(await response.json()).code;
    for (const one of [endpoint.id, `whe_${zeros}`]) {
      const init = { method: 'DELETE', key: stranger.key };
      expect(await code(await service.request(`/webhooks/endpoints/${one}`, init))).toBe(
        'webhook_endpoint_not_found',
      );
      const test = { key: stranger.key, json: { endpoint_id: one } };
      expect(await code(await service.request('/webhooks/test', test))).toBe('webhook_endpoint_not_found');
    }
    for (const one of [id, `whd_${'1'.repeat(26)}`])
      expect(await code(await redeliver(one, stranger.key))).toBe('webhook_delivery_not_found');
    expect(await log(stranger.key)).toEqual([]);
    expect((await service.request('/webhooks/secret')).status).toBe(401);
  });
});
