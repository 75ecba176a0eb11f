import { once } from 'node:events';
import { Agent, get, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { signatureHeaders } from '../../schema/api/signature.ts';
import { newId } from '../../schema/task/ids.ts';
import { MAX_JOB_BYTES } from '../../schema/task/wire.ts';
import { transcoderServer } from '../../transcoder/server.ts';
import { SECRET } from './transcoder-process.ts';

const errors: unknown[] = [];
const quiet = {
  info() {},
  warn() {},
  error: (...line: unknown[]) => void errors.push(line),
  with: () => quiet,
};
const context = {
  secret: SECRET,
  version: 'test',
  attempts: { submit: () => true, stop: async () => {}, draining: false } as never,
  ready: () => ({ status: 'ready' }) as never,
  log: quiet,
};
const server = transcoderServer(context);
let port: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());
afterEach(() => vi.restoreAllMocks());

/** Sends headers and none of the body that they announce. @returns the status of the answer */
function announce(path: string, headers: Record<string, string>, bytes: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port,
      path,
      method: 'POST',
      headers: { ...headers, 'content-length': bytes },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.flushHeaders();
  });
}

/** Sends a request without a body. @returns the first line of the answer */
function statusLine(head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`));
    socket.on('error', reject);
    socket.once('data', (data) => {
      resolve(data.toString().split('\r\n', 1)[0] ?? '');
      socket.destroy();
    });
  });
}

/** Sends a body until the server closes the connection. @returns how many bytes the server has read */
async function flood(headers: Record<string, string>): Promise<number> {
  const accepted = once(server, 'connection');
  const socket = connect(port, '127.0.0.1');
  const [served] = (await accepted) as [Socket];
  const lines = Object.entries({ host: 'a', ...headers, 'content-length': 1e9 });
  socket.write(`POST /tasks HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
  const block = Buffer.alloc(65_536);
  const more = () => {
    while (socket.writable && socket.write(block));
  };
  socket.on('drain', more).on('error', () => {});
  more();
  await new Promise((resolve) => socket.once('close', resolve));
  return served.bytesRead;
}

const plausible = () => signatureHeaders('another-secret-another-secret-another', 'evt_1', '{}');
const stop = `/tasks/${newId('task')}/stop`;

describe('what is not signed', () => {
  test.each(['/tasks', stop])('is refused by %s before its body is read', async (path) => {
    expect(await announce(path, {}, 100_000)).toBe(401);
    expect(await announce(path, { ...(await plausible()), 'webhook-timestamp': '1' }, 100_000)).toBe(401);
    expect(await announce(path, await plausible(), MAX_JOB_BYTES + 1)).toBe(413);
  });

  test('is refused without an HMAC where it lists 300 signatures, and with one where it lists two', async () => {
    const spy = vi.spyOn(crypto.subtle, 'sign');
    const send = async (count: number) => {
      const headers = {
        ...(await plausible()),
        'webhook-signature': Array(count)
          .fill(`v1,${'A'.repeat(43)}=`)
          .join(' '),
      };
      spy.mockClear();
      const { status } = await fetch(`http://127.0.0.1:${port}/tasks`, {
        method: 'POST',
        headers,
        body: '{}',
      });
      return [status, spy.mock.calls.length];
    };
    expect(await send(2)).toEqual([401, 1]);
    expect(await send(300)).toEqual([401, 0]);
  });

  test('is counted where it does not say how long it is', async () => {
    const headers = { ...(await plausible()), 'transfer-encoding': 'chunked' };
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest({ port, path: '/tasks', method: 'POST', headers });
      request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      request.end(Buffer.alloc(MAX_JOB_BYTES + 1));
    });
    expect(status).toBe(413);
  });

  test('is not read to its end', async () => {
    expect(await flood({})).toBeLessThan(2e6);
    expect(await flood(await plausible())).toBeLessThan(2e6);
  });

  test('is refused by its path where no task can have that id', async () => {
    expect(await announce('/tasks/../../etc/stop', await plausible(), 100)).toBe(404);
    expect(await announce(`/tasks/${'x'.repeat(5000)}/stop`, await plausible(), 100)).toBe(404);
  });
});

test.each(['GET /healthz HTTP/1.0', 'GET /healthz HTTP/1.1\r\nHost:'])(
  'a health check of %j is answered',
  async (head) => {
    expect(await statusLine(head)).toBe('HTTP/1.1 200 OK');
  },
);

test.each(['//', '///', '/\\', '*', 'http://', '/%', '/?x'])('a request for %s is answered', async (path) => {
  expect(await statusLine(`GET ${path} HTTP/1.1\r\nHost: a`)).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(errors).toEqual([]);
});

test('closes with a client that keeps its connection alive', async () => {
  const other = transcoderServer(context);
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true });
  const { port } = other.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    get({ port, path: '/healthz', agent }, (response) => response.resume().once('end', resolve));
  });
  await new Promise<void>((resolve) => other.close(() => resolve()));
  agent.destroy();
});
