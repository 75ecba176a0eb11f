import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer,
  type LookupFunction,
  type Server,
  type Socket,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { exchange, type GetOptions, guardedGet } from '../../../transcoder/source/guarded-get.ts';
import { makeCertificate, type Origin, startOrigin } from './origin.ts';

/** A public address that no test connects to. */
const PUBLIC = '93.184.216.34';
const HOST = 'media.example.com';

let plain: Origin;
let secure: Origin;
let requests: IncomingMessage[];

beforeAll(async () => {
  const certificate = makeCertificate({ names: `DNS:${HOST},DNS:localhost,IP:127.0.0.1` });
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    response.end('inside');
  };
  [plain, secure] = [await startOrigin(answer), await startOrigin(answer, certificate)];
});
afterAll(() => Promise.all([plain.close(), secure.close()]));
beforeEach(() => {
  requests = [];
});

/** What became of a request: the code of its failure, or the status of its answer. */
async function outcome(url: string, options: Partial<GetOptions>): Promise<string | number | undefined> {
  try {
    const response = await guardedGet(url, {
      rules: { devOrigins: new Set(), ownHosts: new Set() },
      signal: AbortSignal.timeout(10_000),
      resolve: async () => [PUBLIC],
      ...options,
    });
    response.destroy();
    return response.statusCode;
  } catch (error) {
    if (error instanceof TaskFailure) return error.code;
    throw error;
  }
}

/** Finds every host at an address of its own choice, as a proxy of the environment or a patched resolver would. */
const straying =
  (address: string): LookupFunction =>
  (_, { all }, callback) =>
    all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4);

/** Connections that go to an origin of this machine, whatever host they are asked for. */
function astray(origin: Origin, address = '127.0.0.1') {
  const options = { keepAlive: true, port: Number(new URL(origin.url).port), lookup: straying(address) };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

function end({ http, https }: ReturnType<typeof astray>): void {
  http.destroy();
  https.destroy();
}

describe('a connection that is made', () => {
  test('to another address than the one judged carries no request', async () => {
    const connections = astray(secure);
    expect(await outcome(`https://${HOST}/`, { connections })).toBe('source_forbidden');
    expect(secure.connections(), 'it was made').toBeGreaterThan(0);
    expect(requests).toEqual([]);
    end(connections);
  });

  test('to another loopback address than that of the development origin is refused', async () => {
    const connections = astray(plain);
    const { port } = new URL(plain.url);
    const named = `http://localhost:${port}`;
    const rules = { devOrigins: new Set([named]), ownHosts: new Set<string>() };
    const at = (address: string) => outcome(named, { rules, connections, resolve: async () => [address] });
    expect(await at('127.0.0.2')).toBe('source_forbidden');
    expect(await at('127.0.0.1')).toBe(200);
    end(connections);
  });

  test('goes where the name was found, and asks nobody else for it', async () => {
    const named = plain.url.replace('127.0.0.1', 'nobody-else-knows.example');
    const rules = { devOrigins: new Set([named]), ownHosts: new Set<string>() };
    expect(await outcome(named, { rules, resolve: async () => ['127.0.0.1'] })).toBe(200);
  });
});

test('a host that connects slowly is waited for, although its last address is of a network that is not there', async () => {
  // Vitest sets a longer one.
  setDefaultAutoSelectFamilyAttemptTimeout(250);
  const { listener, url } = await busyListener();
  const rules = { devOrigins: new Set([url]), ownHosts: new Set<string>() };
  const options = { rules, signal: AbortSignal.timeout(30_000) };
  const asked = exchange({ url: new URL(url), development: true }, ['127.0.0.1', 'fd00::1'], options);
  // Longer than Node gives an address that is not the last one.
  await setTimeout(700);
  listener.kill('SIGCONT');
  const response = await asked.finally(() => listener.kill('SIGKILL'));
  response.destroy();
  expect(response.statusCode).toBe(200);
});

/** A server that accepts no connection until it is continued, and whose queue is full. */
async function busyListener() {
  const code = `require('http').createServer((_, to) => to.end())
    .listen({ host: '127.0.0.1', port: 0, backlog: 1 }, function () { console.log(this.address().port); })`;
  const listener = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(listener.stdout, 'data');
  listener.kill('SIGSTOP');
  for (let queued = 0; queued < 4; queued++) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    void once(listener, 'exit').then(() => socket.destroy());
  }
  await setTimeout(100);
  return { listener, url: `http://slow.example:${Number(port)}` };
}

describe('a connection that was kept', () => {
  /** Leaves a connection to the origin among those kept for https://media.example.com. */
  async function keep(connections: ReturnType<typeof astray>): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const request = httpsRequest(`https://${HOST}/`, { agent: connections.https }, (response) => {
        response.resume().once('close', resolve);
      });
      request.once('error', reject).end();
    });
    await expect.poll(() => Object.keys(connections.https.freeSockets)).toHaveLength(1);
  }

  test('and leads to an address that is not public carries no request', async () => {
    const connections = astray(secure);
    await keep(connections);
    const before = secure.connections();
    requests = [];
    expect(await outcome(`https://${HOST}/`, { connections })).toBe('source_forbidden');
    expect(secure.connections(), 'it was used again').toBe(before);
    expect(requests).toEqual([]);
    end(connections);
  });
});

describe('a server that accepts and then', () => {
  let silent: Server;
  const sockets = new Set<Socket>();
  let port: number;
  beforeAll(async () => {
    silent = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    port = (silent.address() as AddressInfo).port;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test.each([
    ['does not begin TLS is given up when connecting takes too long', 'https', { connect: 100 }],
    ['does not answer is given up when its headers take too long', 'http', { headers: 100 }],
  ])('%s', async (_, scheme, wait) => {
    const url = `${scheme}://127.0.0.1:${port}`;
    const rules = { devOrigins: new Set([url]), ownHosts: new Set<string>() };
    const waits = { dns: 60_000, connect: 60_000, headers: 60_000, ...wait };
    const late = outcome(url, { rules, waits, signal: AbortSignal.timeout(5000) });
    expect(await late.catch((error: Error) => error.name)).toBe('source_unreachable');
  });
});
