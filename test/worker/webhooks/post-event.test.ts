import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unstable_startWorker } from 'wrangler';
import { type Receiver, startReceiver } from './receiver.ts';

let worker: Awaited<ReturnType<typeof unstable_startWorker>>;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  // The harness of the other tests fetches with Node, which follows redirects and makes a 500 of an address that is down.
  worker = await unstable_startWorker({
    name: 'post-event',
    config: '',
    entrypoint: fileURLToPath(new URL('post-event-worker.ts', import.meta.url)),
    compatibilityDate: '2026-11-01',
    dev: { server: { port: 0 }, inspector: false, watch: false, logLevel: 'none', persist: false },
  });
});
afterAll(async () => {
  await worker.dispose();
  await receiver.close();
});

const post = async (url: string) =>
  (
    await worker.fetch('http://worker/', { method: 'POST', body: JSON.stringify({ url, body: '{}' }) })
  ).json();

describe('an event that is posted', () => {
  it('is received with a 2xx, whatever is said beside', async () => {
    receiver.answers.set('/endless', (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(await post(`${receiver.origin}/endless`)).toEqual({ error: null, statusCode: 200 });
    expect(await post(`${receiver.origin}/`)).toEqual({ error: null, statusCode: 204 });
    expect(receiver.at('/')[0]).toMatchObject({
      body: '{}',
      headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
    });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    receiver.answers.set('/moved', (response) =>
      response.writeHead(status, { location: `${receiver.origin}/elsewhere` }).end(),
    );
    expect(await post(`${receiver.origin}/moved`)).toEqual({ error: 'redirected', statusCode: status });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it('is not received by one who says no', async () => {
    for (const [status, error] of [
      [404, 'http_error'],
      [410, 'gone'],
      [500, 'http_error'],
    ] as const) {
      receiver.answers.set('/no', (response) => response.writeHead(status).end());
      expect(await post(`${receiver.origin}/no`)).toEqual({ error, statusCode: status });
    }
  });

  it('is not received by one who is down, hangs up, or takes too long', async () => {
    expect(await post('http://127.0.0.1:9/')).toEqual({ error: 'unreachable', statusCode: null });
    receiver.answers.set('/hangup', (response) => void response.destroy());
    expect(await post(`${receiver.origin}/hangup`)).toEqual({ error: 'unreachable', statusCode: null });
    receiver.answers.set('/slow', () => undefined);
    expect(await post(`${receiver.origin}/slow`)).toEqual({ error: 'timed_out', statusCode: null });
  });
});
