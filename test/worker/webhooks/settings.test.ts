import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import {
  deliveryList,
  delivery as deliverySchema,
  LOG_DAYS,
  MAX_ENDPOINTS,
  ROTATION_SECONDS,
} from '../../../schema/api/webhook.ts';
import type { Received } from './receiver.ts';
import {
  address,
  age,
  closeStand,
  complete,
  createEndpoint,
  cut,
  deliveryWhen,
  log,
  receiver,
  redeliver,
  rotate,
  secretOf,
  service,
  start,
  startStand,
  sweep,
  until,
  verified,
} from './stand.ts';

beforeAll(startStand);
afterAll(closeStand);

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
    const task = await service.task(id, key);
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

  it('that was deleted leaves what was under way to another endpoint of its URL', async () => {
    const { key } = await service.createAccount('elite');
    let calls = 0;
    const { path, url } = address((response) => response.writeHead(++calls === 1 ? 500 : 200).end());
    const ids = [await createEndpoint(key, url), await createEndpoint(key, url)].map(({ id }) => id);
    await complete((await start(key)).job);
    const { endpoint_id: id } = await deliveryWhen(key, (one) => one.attempts === 1);
    expect(ids).toContain(id);
    await service.request(`/webhooks/endpoints/${id}`, { method: 'DELETE', key });
    await deliveryWhen(key, (one) => one.status === 'delivered');
    expect(receiver.at(path)).toHaveLength(2);
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
