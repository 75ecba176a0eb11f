import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { type GetOptions, guardedGet } from '../../../transcoder/source/guarded-get.ts';
import { openSource, type RemoteSource, type SourceOptions } from '../../../transcoder/source/open-source.ts';
import { urlOrigin } from '../../../transcoder/source/origin.ts';
import { makeCertificate, type Origin, startOrigin } from './origin.ts';

const webm = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), randomBytes(300_000)]);
const MP4_HEAD = Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1');

let origin: Origin;
let secure: Origin;
let untrusted: Origin;
let canary: Origin;
let directory: string;
let seen: IncomingMessage[];

const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/a.webm': (_, response) => response.setHeader('content-length', webm.length).end(webm),
  '/chunked.webm': (_, response) =>
    response.write(webm.subarray(0, 1000), () => response.end(webm.subarray(1000))),
  '/to-a': (_, response) => response.writeHead(302, { location: '/a.webm' }).end(),
  '/to-accents': (_, response) =>
    response.writeHead(302, { location: Buffer.from('/vidéo.webm').toString('latin1') }).end(),
  '/vid%C3%A9o.webm': (_, response) => response.setHeader('content-length', webm.length).end(webm),
  '/to-secure': (_, response) => response.writeHead(301, { location: `${secure.url}/a.webm` }).end(),
  '/to-plain': (_, response) => response.writeHead(301, { location: `${origin.url}/a.webm` }).end(),
  '/to-canary': (_, response) => response.writeHead(302, { location: `${canary.url}/a.webm` }).end(),
  '/to-metadata': (_, response) =>
    response.writeHead(307, { location: 'https://169.254.169.254/latest/' }).end(),
  '/to-file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/chain-3': (_, response) => response.writeHead(302, { location: '/chain-2' }).end(),
  '/chain-2': (_, response) => response.writeHead(302, { location: '/to-a' }).end(),
  '/chain-4': (_, response) => response.writeHead(302, { location: '/chain-3' }).end(),
  '/empty-location': (_, response) => response.writeHead(302, { location: '' }).end(),
  '/short': (_, response) => {
    response.writeHead(200, { 'content-length': webm.length });
    response.write(webm.subarray(0, 200_000), () => response.destroy());
  },
  '/reset': (_, response) => {
    response.writeHead(200);
    response.write(webm.subarray(0, 200_000), () => response.socket?.resetAndDestroy());
  },
  '/announced-large': (_, response) =>
    response.writeHead(200, { 'content-length': 2_000_000 }).write(MP4_HEAD),
  '/endless': (_, response) => {
    response.writeHead(200).write(MP4_HEAD);
    let blocks = 0;
    const more = () => {
      // Far beyond every limit, and yet no full disk where nobody counts.
      while (!response.destroyed && blocks++ < 1000 && response.write(Buffer.alloc(64 * 1024)));
      if (blocks >= 1000) response.end();
    };
    response.on('drain', more);
    more();
  },
  '/drip': (_, response) => {
    response.writeHead(200).write(MP4_HEAD);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/silent': (_, response) => response.writeHead(200).write(MP4_HEAD),
  '/no-headers': () => {},
  '/big-header': (_, response) => response.writeHead(200, { 'x-big': 'a'.repeat(100_000) }).end(webm),
  '/gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(webm),
  '/empty': (_, response) => response.writeHead(200, { 'content-length': 0 }).end(),
  '/partial': (_, response) => response.writeHead(206).end(webm),
  '/nothing': (_, response) => response.writeHead(204).end(),
};

const texts: Record<string, string> = {
  hls: '#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/a.ts\n',
  'hls-behind-bom': '\ufeff#EXTM3U\n#EXTINF:1,\n/etc/passwd\n',
  ffconcat: 'ffconcat version 1.0\nfile /etc/passwd\n',
  dash: '<?xml version="1.0"?><MPD></MPD>',
  'dash-bare': '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>',
  sdp: 'v=0\no=- 0 0 IN IP4 127.0.0.1\n',
  webvtt: 'WEBVTT\n\n00:00.000 --> 00:01.000\nhi\n',
  ass: '[Script Info]\nTitle: x\n',
  svg: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  html: '<!doctype html><p>no</p>',
  long: `#EXTM3U\n${'# padding\n'.repeat(50_000)}`,
};

beforeAll(async () => {
  const trusted = makeCertificate();
  setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(request);
    const path = request.url ?? '';
    const status = /^\/status\/(\d+)$/.exec(path)?.[1];
    const text = texts[/^\/text\/(.+)$/.exec(path)?.[1] ?? ''];
    const page = pages[path];
    if (page) page(request, response);
    else if (text !== undefined) response.end(text);
    else response.writeHead(Number(status ?? 404)).end('no');
  };
  origin = await startOrigin(answer);
  secure = await startOrigin(answer, trusted);
  untrusted = await startOrigin(answer, makeCertificate());
  canary = await startOrigin(answer);
  directory = await mkdtemp(join(tmpdir(), 'spool-test-fetch-'));
});

afterAll(async () => {
  await Promise.all([origin, secure, untrusted, canary].map((each) => each.close()));
  await rm(directory, { recursive: true });
});

beforeEach(() => {
  seen = [];
});

const opened: RemoteSource[] = [];
afterEach(async () => {
  for (const source of opened.splice(0)) await source.close();
});

let count = 0;
async function fetchIt(
  url: string,
  options: Partial<SourceOptions & GetOptions> = {},
): Promise<RemoteSource> {
  const rules = {
    devOrigins: new Set([origin.url, secure.url, untrusted.url]),
    ownHosts: new Set<string>(),
  };
  const source = await openSource(urlOrigin(url, { rules, ...options }), {
    path: join(directory, `source-${count++}`),
    limitBytes: 1_000_000,
    signal: AbortSignal.timeout(25_000),
    ...options,
  });
  opened.push(source);
  return source;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const failure = await work.then(
    () => 'it did not fail',
    (reason: unknown) => reason,
  );
  expect(failure).toBeInstanceOf(TaskFailure);
  const { code, message } = failure as TaskFailure;
  expect(message).not.toMatch(/127\.0\.0\.1|169\.254|EXTM3U|\/tmp/);
  return code;
}

describe('a good source', () => {
  test.each([
    ['plain', () => `${origin.url}/a.webm`],
    ['over TLS', () => `${secure.url}/a.webm`],
    ['without an announced length', () => `${origin.url}/chunked.webm`],
    ['behind a redirect', () => `${origin.url}/to-a`],
    ['behind a redirect whose address is not escaped', () => `${origin.url}/to-accents`],
    ['behind a redirect to https', () => `${origin.url}/to-secure`],
    ['behind three redirects', () => `${origin.url}/chain-3`],
  ])('%s arrives whole', async (_, url) => {
    const source = await fetchIt(url());
    expect(source).toMatchObject({ format: 'matroska', bytes: webm.length });
    const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    expect(hash(await readFile((await source.whole()).path))).toBe(hash(webm));
  });

  test('is asked for with our own headers and one connection', async () => {
    const fractions: number[] = [];
    await fetchIt(`${origin.url}/a.webm`, { onProgress: (fraction) => fractions.push(fraction) });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.method).toBe('GET');
    expect(seen[0]?.headers).toEqual({
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'Spool/1',
      range: 'bytes=0-65535',
      host: new URL(origin.url).host,
      connection: 'keep-alive',
    });
    expect(fractions.at(-1)).toBe(1);
  });
});

describe('a redirect', () => {
  test.each([
    ['/to-canary', 'source_forbidden'],
    ['/to-metadata', 'source_forbidden'],
    ['/to-file', 'source_forbidden'],
    ['/loop', 'source_http_error'],
    ['/chain-4', 'source_http_error'],
    ['/empty-location', 'source_http_error'],
  ])('%s redirects and ends in %s', async (path, code) => {
    expect(await codeOf(fetchIt(`${origin.url}${path}`))).toBe(code);
    expect(canary.connections()).toBe(0);
  });

  test('a redirect without an address is not tried again', async () => {
    await expect(fetchIt(`${origin.url}/empty-location`)).rejects.toMatchObject({
      ...{ code: 'source_http_error', retryable: false },
      message: 'The source redirects with HTTP status 302 to no valid address.',
    });
  });

  test('from https to http is refused', async () => {
    expect(await codeOf(fetchIt(`${secure.url}/to-plain`))).toBe('source_forbidden');
  });
});

describe('a host name', () => {
  const resolving = (...addresses: string[]) => ({ resolve: async () => addresses });

  test.each([
    ['to loopback', ['127.0.0.1']],
    ['to one public and one private address', ['93.184.216.34', '10.0.0.1']],
    ['to a mapped address', ['::ffff:127.0.0.1']],
    ['to a scoped address', ['fe80::1%eth0']],
  ])('that resolves %s is refused', async (_, addresses) => {
    const url = 'https://media.example.com/a.mp4';
    expect(await codeOf(fetchIt(url, resolving(...addresses)))).toBe('source_forbidden');
  });

  test('of a development origin may resolve to loopback alone', async () => {
    const named = origin.url.replace('127.0.0.1', 'localhost');
    const rules = { devOrigins: new Set([named]), ownHosts: new Set<string>() };
    const forbidden = fetchIt(`${named}/a.webm`, { rules, ...resolving('93.184.216.34') });
    expect(await codeOf(forbidden)).toBe('source_forbidden');
    const source = await fetchIt(`${named}/a.webm`, { rules, ...resolving('127.0.0.1') });
    expect(source.bytes).toBe(webm.length);
  });

  test('is resolved once: the address that was judged is the one connected to', async () => {
    const named = origin.url.replace('127.0.0.1', 'localhost');
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const source = await fetchIt(`${named}/a.webm`, {
      rules: { devOrigins: new Set([named]), ownHosts: new Set() },
      resolve: async () => answers[asked++] ?? [],
    });
    expect(source.bytes).toBe(webm.length);
    expect(asked).toBe(1);
  });

  test('that does not resolve, or not in time, is unreachable', async () => {
    const url = 'https://media.example.com/a.mp4';
    const missing = { resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    expect(await codeOf(fetchIt(url, missing))).toBe('source_unreachable');
    expect(await codeOf(fetchIt(url, resolving()))).toBe('source_unreachable');
    const waits = { dns: 50, connect: 50, headers: 50 };
    const never = { resolve: () => new Promise<string[]>(() => {}), waits };
    expect(await codeOf(fetchIt(url, never))).toBe('source_unreachable');
  });
});

describe('an answer', () => {
  test.each([
    [206, true],
    [204, true],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [410, false],
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
  ])(
    'with status %i is source_http_error; that the same request can succeed later is %s',
    async (status, retryable) => {
      const failed = await fetchIt(`${origin.url}/status/${status}`).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 'source_http_error', retryable });
    },
  );

  test.each([
    ['/partial', 'source_http_error'],
    ['/nothing', 'source_http_error'],
    ['/big-header', 'source_http_error'],
    ['/gzip', 'source_http_error'],
    ['/short', 'source_truncated'],
    ['/reset', 'source_truncated'],
    ['/announced-large', 'source_too_large'],
    ['/endless', 'source_too_large'],
    ['/empty', 'source_not_media'],
  ])('%s ends in %s', async (path, code) => {
    expect(await codeOf(fetchIt(`${origin.url}${path}`))).toBe(code);
  });

  test.each(Object.keys(texts))('that is text (%s) is source_not_media', async (name) => {
    expect(await codeOf(fetchIt(`${origin.url}/text/${name}`))).toBe('source_not_media');
  });

  test('that never comes, and a server that is not there, are unreachable', async () => {
    const waits = { dns: 1000, connect: 1000, headers: 100 };
    expect(await codeOf(fetchIt(`${origin.url}/no-headers`, { waits }))).toBe('source_unreachable');
    const gone = 'http://127.0.0.1:9';
    const rules = { devOrigins: new Set([gone]), ownHosts: new Set<string>() };
    expect(await codeOf(fetchIt(`${gone}/a.webm`, { rules }))).toBe('source_unreachable');
  });

  test('under a certificate that nobody vouches for is unreachable', async () => {
    expect(await codeOf(fetchIt(`${untrusted.url}/a.webm`))).toBe('source_unreachable');
  });

  test('that drips or falls silent is too slow', async () => {
    const pace = { idle: 60_000, window: 300, bytesPerSecond: 65_536, every: 50 };
    expect(await codeOf(fetchIt(`${origin.url}/drip`, { pace }))).toBe('source_too_slow');
    const idle = { ...pace, idle: 200, window: 60_000 };
    expect(await codeOf(fetchIt(`${origin.url}/silent`, { pace: idle }))).toBe('source_too_slow');
  });

  test('that had no chance to send while this process stood still is not too slow', async () => {
    const pace = { idle: 400, window: 60_000, bytesPerSecond: 1, every: 50 };
    const controller = new AbortController();
    const reason = new Error('stop');
    const work = fetchIt(`${origin.url}/drip`, {
      ...{ pace, signal: controller.signal },
      path: join(directory, 'frozen'),
    });
    await expect.poll(() => readdir(directory)).toContain('frozen');
    await sleep(200);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    setTimeout(() => controller.abort(reason), 200);
    await expect(work).rejects.toBe(reason);
  });
});

test('a body without an announced length is given up as soon as it is over the limit', async () => {
  const traffic = { bytes: 0, requests: 0 };
  expect(await codeOf(fetchIt(`${origin.url}/endless`, { traffic }))).toBe('source_too_large');
  expect(traffic.bytes).toBeLessThan(1_000_000 + 256 * 1024);
});

test('an abort ends the transfer with its reason and closes the socket', async () => {
  const controller = new AbortController();
  const reason = new Error('stop');
  const work = fetchIt(`${origin.url}/drip`, {
    signal: controller.signal,
    path: join(directory, 'aborted'),
  });
  await expect.poll(() => readdir(directory)).toContain('aborted');
  controller.abort(reason);
  await expect(work).rejects.toBe(reason);
  await expect.poll(() => origin.open()).toBe(0);
});

test('a refusal leaves no socket open', async () => {
  await codeOf(fetchIt(`${origin.url}/announced-large`));
  await codeOf(fetchIt(`${origin.url}/endless`));
  await codeOf(fetchIt(`${origin.url}/text/long`));
  await expect.poll(() => origin.open()).toBe(0);
});

test('the guard sits in front of every GET, not only of whole files', async () => {
  const get = guardedGet('https://10.0.0.1/', {
    rules: { devOrigins: new Set(), ownHosts: new Set() },
    signal: AbortSignal.timeout(5000),
  });
  expect(await codeOf(get)).toBe('source_forbidden');
});
