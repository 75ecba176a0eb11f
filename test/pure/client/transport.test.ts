import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidKeyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RequestError,
  ServiceError,
  Spool,
  SpoolError,
} from '../../../client/src/index.ts';
import type { ResponseCode } from '../../../schema/api/errors.ts';
import { errorCodes, errorEntry } from '../../../schema/api/errors.ts';
import { problemExample } from '../../../worker/http/docs/problem-responses.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function spoolAt(listener: RequestListener, options: { retries?: number } = {}) {
  const requests: { method: string; url: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const key = request.headers['idempotency-key'];
    requests.push({ method: request.method ?? '', url: request.url ?? '', key: key?.toString() });
    request.resume();
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, spool: new Spool({ baseUrl, apiKey: 'key', ...options }) };
}

const account = { object: 'account', id: 'acct_1', plan: 'basic' };
const cut = { video_url: 'https://media.example.com/talk.mp4', duration: 1 };

describe('a request', () => {
  it('is sent again after the seconds of Retry-After', async () => {
    let tries = 0;
    const { spool } = await spoolAt((_, response) => {
      tries += 1;
      if (tries > 1) return response.end(JSON.stringify(account));
      response.writeHead(429, { 'retry-after': '1' }).end(JSON.stringify(problemExample('rate_limited')));
    });
    const started = Date.now();
    expect(await spool.account()).toEqual(account);
    expect(tries).toBe(2);
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
  });

  it('that creates a task is sent again with the same idempotency key when its connection breaks', async () => {
    const { spool, requests } = await spoolAt((_, response) => {
      if (requests.length < 3) return response.destroy();
      response.writeHead(202).end(JSON.stringify({ id: 'task_1' }));
    });
    expect(await spool.cut(cut)).toEqual({ id: 'task_1' });
    const [first, ...others] = requests.map(({ key }) => key);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([first, first]);
    await spool.cut(cut, { idempotencyKey: 'mine' });
    await spool.cut(cut);
    expect(requests[3]?.key).toBe('mine');
    expect(requests[4]?.key).not.toBe(first);
  });

  it('that may not be sent twice is not, when its connection breaks', async () => {
    const { spool, requests } = await spoolAt((_, response) => void response.destroy());
    await expect(spool.webhooks.rotateSecret()).rejects.toThrow(ConnectionError);
    expect(requests).toHaveLength(1);
  });

  it('is not sent again if that cannot help, nor more often than asked, nor after a pause of minutes', async () => {
    const refused = await spoolAt(
      (_, response) => void response.writeHead(422).end(JSON.stringify(problemExample('validation_failed'))),
    );
    await expect(refused.spool.cut(cut)).rejects.toThrow(RequestError);
    expect(refused.requests).toHaveLength(1);
    const busy = await spoolAt(
      (_, response) => void response.writeHead(503).end(JSON.stringify(problemExample('unavailable'))),
      { retries: 2 },
    );
    await expect(busy.spool.account()).rejects.toThrow(ServiceError);
    expect(busy.requests).toHaveLength(3);
    const long = await spoolAt(
      (_, response) =>
        void response
          .writeHead(429, { 'retry-after': '3600' })
          .end(JSON.stringify(problemExample('queue_full'))),
    );
    await expect(long.spool.account()).rejects.toMatchObject({ retryAfter: 3600, retryable: true });
    expect(long.requests).toHaveLength(1);
  });

  it('ends at once when its signal is aborted, also in the pause between two tries', async () => {
    const { spool } = await spoolAt(
      (_, response) => void response.writeHead(503, { 'retry-after': '30' }).end('{}'),
    );
    const reason = new Error('enough');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 200);
    const started = Date.now();
    await expect(spool.account({ signal: controller.signal })).rejects.toBe(reason);
    expect(Date.now() - started).toBeLessThan(5000);
  });

  it.each([
    ['breaks off', (response: ServerResponse) => void response.write('{"id"', () => response.destroy())],
    ['ends too early', (response: ServerResponse) => void response.end('{"id"')],
  ])('whose response %s is sent again, with the same idempotency key', async (_, end) => {
    const { spool, requests } = await spoolAt((_request, response) => {
      response.writeHead(202, { 'content-type': 'application/json' });
      if (requests.length === 1) end(response);
      else response.end(JSON.stringify({ id: 'task_1' }));
    });
    expect(await spool.cut(cut)).toEqual({ id: 'task_1' });
    const [first, second] = requests.map(({ key }) => key);
    expect(requests).toHaveLength(2);
    expect(second).toBe(first);
  });

  it('whose response always breaks off ends in an error that can be repeated', async () => {
    const { spool } = await spoolAt(
      (_, response) => void response.writeHead(200).write('{', () => response.destroy()),
      { retries: 0 },
    );
    const error = await spool.account().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toMatch(/^ConnectionError: http:\/\/127\.0\.0\.1:\d+ broke off its response\.$/);
  });

  it('whose response stops for good ends after the time limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { spool, requests } = await spoolAt((_, response) => void response.writeHead(200).write('{'), {
        retries: 0,
      });
      const outcome = spool.account().catch((thrown: unknown) => thrown);
      await vi.waitUntil(() => requests.length > 0);
      vi.advanceTimersByTime(60_000);
      expect(await outcome).toBeInstanceOf(ConnectionError);
      expect(String(await outcome)).toContain('did not answer within 60 s');
    } finally {
      vi.useRealTimers();
    }
  });

  it('that a web page answers names its address', async () => {
    const { spool, requests } = await spoolAt(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    const error = await spool.account().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SpoolError);
    expect(String(error)).toContain(
      `${spool.baseUrl}/account answered with the status 200, but not with JSON`,
    );
    expect(requests).toHaveLength(1);
  });

  it.each([301, 302, 307, 308])('that is redirected with %i takes the key nowhere', async (status) => {
    const target = await spoolAt((_, response) => void response.end(JSON.stringify({ id: 'task_1' })));
    const { spool } = await spoolAt(
      (_, response) => void response.writeHead(status, { location: `${target.spool.baseUrl}/cut` }).end(),
    );
    const error = await spool.cut(cut).then(undefined, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SpoolError);
    expect(String(error)).toContain(
      `${spool.baseUrl} redirects to ${target.spool.baseUrl}. Requests with a key follow no redirect`,
    );
    expect(target.requests).toEqual([]);
  });

  it('to an address without a service says so', async () => {
    const spool = new Spool({ baseUrl: 'http://127.0.0.1:9', apiKey: 'key', retries: 0 });
    await expect(spool.account()).rejects.toThrow('http://127.0.0.1:9 cannot be reached.');
  });
});

describe('what no header can have', () => {
  it.each([
    ['an ellipsis', 'spool_live_…'],
    ['a space without width', 'spool_live_1\u200b'],
    ['a line break', 'spool_\nlive_1'],
  ])('in a key is refused before anything is sent: %s', (_, apiKey) => {
    const create = () => new Spool({ baseUrl: 'https://spool.example.com', apiKey });
    expect(create).toThrow(InvalidKeyError);
    expect(create).toThrow('The key has a character that no key has');
    expect(new Spool({ baseUrl: 'https://spool.example.com', apiKey: 'key\n' })).toBeInstanceOf(Spool);
  });

  it.each([
    ['idempotency-key', { idempotencyKey: 'заказ-1042' }],
    ['X-ElevenLabs-Key', { headers: { 'X-ElevenLabs-Key': 'sk_…' } }],
    ['X ElevenLabs Key', { headers: { 'X ElevenLabs Key': 'sk_1' } }],
  ])('in the header %s is refused before anything is sent, also files', async (name, options) => {
    const { spool, requests } = await spoolAt((_, response) => void response.end('{}'));
    const source = new Blob(['video'], { type: 'video/mp4' });
    const error = await spool.cut({ video_url: source, duration: 1 }, options).then(
      () => 'sent',
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(SpoolError);
    expect(error).toMatchObject({ retryable: false });
    expect(String(error)).toContain(`The header "${name}" cannot be sent`);
    expect(requests).toEqual([]);
  });
});

describe('an error', () => {
  const classes: Record<number, typeof ApiError> = {
    ...{ 400: RequestError, 413: RequestError, 415: RequestError, 416: RequestError, 422: RequestError },
    ...{ 401: AuthenticationError, 402: PermissionError, 403: PermissionError },
    ...{ 404: NotFoundError, 410: NotFoundError, 405: RequestError, 409: ConflictError },
    ...{ 429: RateLimitError, 500: ServiceError, 501: ServiceError, 503: ServiceError },
  };
  const answered = errorCodes.filter((code): code is ResponseCode => errorEntry(code).status !== null);

  it.each(answered)('%s is of the class of its status, and has what the response says', async (code) => {
    const problem = problemExample(code);
    const { spool } = await spoolAt(
      (_, response) => void response.writeHead(problem.status).end(JSON.stringify(problem)),
      { retries: 0 },
    );
    const error = await spool.account().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(classes[problem.status]);
    expect(error).toBeInstanceOf(SpoolError);
    expect(error).toMatchObject({
      ...{ code, message: problem.detail, title: problem.title, docs: problem.type },
      ...{ status: problem.status, requestId: problem.request_id, retryable: problem.retryable },
      errors: problem.errors ?? [],
    });
  });

  it('of a proxy in front of the service is one too', async () => {
    const { spool } = await spoolAt(
      (_, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'),
      {
        retries: 0,
      },
    );
    await expect(spool.account()).rejects.toMatchObject({ status: 502, code: undefined, retryable: true });
  });

  it('says what is missing in the settings', () => {
    expect(() => new Spool({ apiKey: 'key' })).toThrow(/SPOOL_URL/);
    expect(() => new Spool({ baseUrl: 'https://spool.example.com' })).toThrow(/SPOOL_API_KEY/);
  });
});
