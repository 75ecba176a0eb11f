import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { exampleOf, type Service, startService } from '../harness.ts';
import { keepOutOfLogs, leaksIn, makeCanary } from '../log-canaries.ts';
import { type LocalStore, startObjectStore } from '../transcoder/object-store.ts';
import { type Receiver, startReceiver } from '../transcoder/receiver.ts';
import { makeJob, startTranscoder, type TranscoderProcess } from '../transcoder/transcoder-process.ts';
import { resultOf, type StandIn, startStandIn } from '../worker/stand-in.ts';
import { fill, routes } from './routes.ts';

/** An address with a canary wherever one fits. */
const tokened = (host: string) =>
  `https://${host}/services/${makeCanary()}/a.mp4?token=${makeCanary()}&X-Amz-Signature=${makeCanary()}#${makeCanary()}`;

describe('a log line of the Worker', () => {
  let service: Service;
  let transcoder: StandIn;
  beforeAll(async () => {
    transcoder = await startStandIn();
    service = await startService({ TRANSCODER_URL: transcoder.origin });
  });
  afterAll(async () => {
    // Throws where a line holds a canary, a key or a secret.
    await service.close();
    await transcoder.close();
  });

  const lines = () => service.worker.logs();
  const secretHeaders = { 'X-ElevenLabs-Key': `sk_${makeCanary()}` };
  const cut = () => ({
    ...exampleOf(operations.cut),
    video_url: tokened('media.example.com'),
    callback_url: tokened('hooks.example.com'),
  });

  /** Everything a caller can send with a secret in it. */
  async function useAll(key: string): Promise<void> {
    const requests: [string, Parameters<Service['request']>[1]][] = operationNames.map((name) => {
      const json = { ...exampleOf(operations[name]), callback_url: tokened('hooks.example.com') };
      return [operations[name].path, { key, json, headers: secretHeaders }];
    });
    requests.push(['/cut', { key, json: cut() }]);
    requests.push(['/webhooks/test', { key, json: { url: tokened('hooks.example.com') } }]);
    requests.push(['/webhooks/endpoints', { key, json: { url: tokened('hooks.example.com') } }]);
    requests.push(['/webhooks/secret/rotate', { key, method: 'POST' }]);
    for (const { method, path } of routes) {
      const query = `?file=video&expires=1999999999&signature=${makeCanary()}&api_key=${makeCanary()}`;
      const address = fill(path, () => `task_${'0'.repeat(26)}`) + query;
      const bearer = { authorization: `Bearer ${makeCanary()}`, 'webhook-signature': `v1,${makeCanary()}` };
      requests.push([address, { method, headers: bearer }]);
      const body = method === 'POST' ? { body: `{"${makeCanary()}` } : {};
      requests.push([address, { method, key, headers: { 'content-type': 'application/json' }, ...body }]);
    }
    const next = requests.values();
    const sender = async () => {
      for (const [path, init] of next) await (await service.request(path, init)).body?.cancel();
    };
    await Promise.all(Array.from({ length: 8 }, sender));
  }

  test('holds no secret while all goes well, and while the database, the queue and receivers fail', async () => {
    const account = await service.createAccount('elite');
    // Before the line is full of tasks that nobody ends.
    const { id } = await service.submit('/cut', cut(), account.key);
    const job = await transcoder.jobOf(id);
    keepOutOfLogs(job.callback_secret);
    await useAll(account.key);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    await expect
      .poll(() => lines().some((line) => line.includes('webhook_attempt')), { timeout: 20_000 })
      .toBe(true);

    const { DB } = await service.bindings();
    const rename = (from: string, to: string) =>
      DB.prepare(`alter table ${from} rename to ${to}`).bind().run();
    for (const table of ['webhook_deliveries', 'webhook_endpoints', 'tasks', 'keys']) {
      await rename(table, 'gone');
      await useAll(account.key);
      await rename('gone', table);
    }
    const failed = lines().filter((line) => line.includes('Failed query'));
    expect(failed.some((line) => line.includes('webhook_deliveries'))).toBe(true);
    expect(failed.some((line) => line.includes('request_failed'))).toBe(true);
    expect(failed.length).toBeGreaterThan(5);
    expect(leaksIn(lines())).toEqual([]);
    console.log(
      `${lines().length} log lines of the Worker, ${failed.length} of failed statements: no secret`,
    );
  }, 600_000);
});

describe('a log line of the transcoder', () => {
  let store: LocalStore;
  let receiver: Receiver;
  let transcoder: TranscoderProcess;
  const origin = createServer((_, response) => response.writeHead(500).end());
  beforeAll(async () => {
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
    [store, receiver] = await Promise.all([startObjectStore(), startReceiver()]);
    transcoder = await startTranscoder({ ...store.env, SPOOL_DEV_ORIGINS: originUrl() });
  });
  afterAll(async () => {
    await transcoder.close();
    await Promise.all([receiver.close(), store.close()]);
    origin.close();
  });
  const originUrl = () => `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;

  test('holds no secret of a task, however it ends', async () => {
    const sources = [
      `${originUrl()}/${makeCanary()}.mp4?token=${makeCanary()}`,
      `https://127.0.0.1/${makeCanary()}?token=${makeCanary()}`,
      `https://no-such-host.invalid/${makeCanary()}?token=${makeCanary()}`,
    ];
    for (const video_url of sources) {
      const job = makeJob('cut', { video_url, duration: 1 }, '', { provider_key: makeCanary() });
      await transcoder.post('/tasks', { ...job, callback_url: receiver.url(job.task_id) });
      await receiver.first(job.task_id, 'failed');
    }
    // Reports that cannot be delivered, bodies that cannot be read, forged signatures.
    const lost = makeJob('cut', { video_url: sources[0], duration: 1 }, '', {});
    await transcoder.post('/tasks', {
      ...lost,
      callback_url: `http://127.0.0.1:9/internal/${makeCanary()}?token=${makeCanary()}`,
    });
    await transcoder.post('/tasks', `{"provider_key":"${makeCanary()}`);
    await transcoder.post('/tasks', { callback_secret: makeCanary() });
    // `JSON.parse` quotes ten characters of what it is given.
    const short = randomBytes(4).toString('hex');
    keepOutOfLogs(short);
    await transcoder.post('/tasks', `x${short}`);
    await transcoder.post('/tasks', lost, makeCanary() + makeCanary());
    await fetch(`${transcoder.url}/tasks?token=${makeCanary()}`, { method: 'POST' });
    const messages = () => transcoder.logs.map(({ message }) => message);
    await expect.poll(messages, { timeout: 30_000 }).toContain('report not delivered');
    expect(messages()).toEqual(expect.arrayContaining(['task failed', 'a signed body is not JSON']));
    const all = transcoder.logs.map((line) => JSON.stringify(line));
    expect(leaksIn(all)).toEqual([]);
    console.log(`${all.length} log lines of the transcoder: no secret`);
  });
});
