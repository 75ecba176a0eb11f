import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ATTEMPT_DELAYS,
  type Delivery,
  delivery as deliverySchema,
  endpointList,
} from '../../../schema/api/webhook.ts';
import { sleep } from '../../harness.ts';
import { type Received, startReceiver } from './receiver.ts';
import {
  address,
  age,
  closeStand,
  complete,
  createEndpoint,
  deliveryWhen,
  fail,
  log,
  receiver,
  redeliver,
  secretOf,
  service,
  start,
  startStand,
  sweep,
  transcoder,
  until,
  verified,
} from './stand.ts';

beforeAll(startStand);
afterAll(closeStand);

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
    const task = await service.task(id, account.key);
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

  it('that fails twice gets no test event again', async () => {
    const { key } = await service.createAccount('elite');
    const { path, url } = address((response) => response.writeHead(503).end());
    expect((await service.request('/webhooks/test', { key, json: { url } })).status).toBe(202);
    const last = await deliveryWhen(key, (one) => one.status === 'failed');
    expect(last).toMatchObject({ attempts: 2, last_error: 'http_error', next_attempt_at: null });
    expect(receiver.at(path)).toHaveLength(2);
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

  it('that still holds its last attempt does not end a redelivery, which has all its attempts', async () => {
    const account = await service.createAccount('elite');
    let requests = 0;
    const { path, url } = address((response) => {
      requests += 1;
      if (requests > 2) response.writeHead(204).end();
    });
    await complete((await start(account.key, { callback_url: url })).job);
    await until(() => receiver.at(path).length === 1);
    const { DB } = await service.bindings();
    await DB.prepare('update webhook_deliveries set step = ? where account_id = ?')
      .bind(ATTEMPT_DELAYS.length - 1, account.id)
      .run();
    const [first] = await log(account.key);
    expect((await redeliver(first?.id ?? '', account.key)).status).toBe(202);
    await until(() => receiver.at(path).length === 2);
    const again = await deliveryWhen(account.key, (one) => one.attempts === 2);
    expect(again).toMatchObject({ status: 'pending', last_error: 'timed_out' });
    const done = await deliveryWhen(account.key, (one) => one.status === 'delivered');
    expect(done).toMatchObject({ attempts: 3, last_error: null, next_attempt_at: null });
    expect(receiver.at(path)).toHaveLength(3);
  });

  it('that does not answer gets one request at a time, however often a redelivery is asked for', async () => {
    const { key } = await service.createAccount('elite');
    const { path, url } = address(() => {});
    await complete((await start(key, { callback_url: url })).job);
    await until(() => receiver.at(path).length === 1);
    const [first] = await log(key);
    const due = ({ next_attempt_at }: Delivery) => Date.parse(next_attempt_at ?? '');
    for (let count = 0; count < 10; count++) {
      const again = deliverySchema.parse(await (await redeliver(first?.id ?? '', key)).json());
      // No consumer of the queue may begin before the attempt that is under way is over, or lost.
      expect(due(again)).toBeGreaterThan(due(first as Delivery));
    }
    await until(() => receiver.at(path).length === 2, 10);
  });

  it('that is being tried, or will be tried later, is left alone by a sweep that begins late', async () => {
    const { key } = await service.createAccount('elite');
    const { path, url } = address(() => {});
    await complete((await start(key, { callback_url: url })).job);
    await until(() => receiver.at(path).length === 1);
    const claimed = await deliveryWhen(key, (one) => one.attempts === 0);
    await sweep(-120_000);
    expect(await log(key)).toEqual([claimed]);
    const waiting = await deliveryWhen(key, (one) => one.attempts === 1);
    await sweep(-120_000);
    expect(await log(key)).toEqual([waiting]);
    expect(receiver.at(path)).toHaveLength(1);
  });

  it('still gets the callback of a task when an endpoint of the same URL is deleted', async () => {
    const { key } = await service.createAccount('elite');
    let requests = 0;
    const { path, url } = address((response) => {
      requests += 1;
      response.writeHead(requests === 1 ? 500 : 204).end();
    });
    const { id } = await createEndpoint(key, url);
    await complete((await start(key, { callback_url: url })).job);
    await deliveryWhen(key, (one) => one.attempts === 1);
    expect((await service.request(`/webhooks/endpoints/${id}`, { method: 'DELETE', key })).status).toBe(200);
    await deliveryWhen(key, (one) => one.status === 'delivered');
    expect(receiver.at(path)).toHaveLength(2);
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

  it('whose endpoint was disabled gets what is under way through a new endpoint of its URL', async () => {
    const { key } = await service.createAccount('elite');
    const answers = [500, 410];
    const { path, url } = address((response) => response.writeHead(answers.shift() ?? 204).end());
    const { id } = await createEndpoint(key, url);
    await complete((await start(key)).job);
    const tried = await deliveryWhen(key, (one) => one.last_error === 'gone');
    expect(tried).toMatchObject({ endpoint_id: id, status: 'failed' });
    await createEndpoint(key, url);
    expect((await redeliver(tried.id, key)).status).toBe(202);
    await deliveryWhen(key, (one) => one.status === 'delivered');
    expect(receiver.at(path)).toHaveLength(3);
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
