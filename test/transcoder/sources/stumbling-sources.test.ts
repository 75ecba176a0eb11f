import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Span } from '../../../transcoder/model/source/byte-ranges.ts';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import type { GetOptions } from '../../../transcoder/source/guarded-get.ts';
import { openSource, type RemoteSource, type SourceOptions } from '../../../transcoder/source/open-source.ts';
import { urlOrigin } from '../../../transcoder/source/origin.ts';
import { textAt } from '../../../transcoder/source/read-text.ts';
import { makeCertificate } from './origin.ts';
import { type Manners, type RangeOrigin, startRangeOrigin } from './range-origin.ts';
import { stumbles, stumblingAt, twiceARead } from './stumbles.ts';

const MB = 1024 * 1024;
const file = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), randomBytes(5 * MB)]);
/** A moov behind the media, so that opening it takes several reads. */
const box = (type: string, body: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const mp4 = Buffer.concat([
  box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1')),
  box('mdat', randomBytes(8 * MB)),
  box('moov', randomBytes(100_000)),
]);
const captions = Buffer.from(`WEBVTT\n\n${'00:00.000 --> 00:01.000\nhello\n\n'.repeat(5000)}`);
const HEAD: Span = [0, 64 * 1024];
/** Fast enough for tests, slow enough for a busy machine. */
const pace = { idle: 700, window: 60_000, bytesPerSecond: 1, every: 50 };
const waits = { dns: 2000, connect: 2000, headers: 2000 };

let directory: string;
const origins: RangeOrigin[] = [];
const sources: RemoteSource[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-test-stumbling-'));
});
// Many run at the same time.
afterAll(async () => {
  for (const source of sources) await source.close();
  for (const origin of origins) await origin.close();
  await rm(directory, { recursive: true });
});

async function serve(manners: Manners, body: Buffer = file): Promise<RangeOrigin> {
  const origin = await startRangeOrigin(body, manners);
  origins.push(origin);
  return origin;
}

let count = 0;
type Options = Partial<SourceOptions & GetOptions>;
const fetchedFrom = (origin: { url: string }, options: Options = {}) => {
  const rules = { devOrigins: new Set([origin.url]), ownHosts: new Set<string>() };
  return urlOrigin(`${origin.url}/a`, { rules, waits, ...options });
};
const settings = (options: Options = {}) => ({
  path: join(directory, `source-${count++}`),
  limitBytes: 100 * MB,
  signal: AbortSignal.timeout(50_000),
  pace,
  ...options,
});

async function opened(origin: { url: string }, options: Options = {}): Promise<RemoteSource> {
  const source = await openSource(fetchedFrom(origin, options), settings(options));
  sources.push(source);
  return source;
}

async function failureOf(work: Promise<unknown>): Promise<TaskFailure> {
  const failure = await work.then(
    () => 'it did not fail',
    (reason: unknown) => reason,
  );
  expect(failure).toBeInstanceOf(TaskFailure);
  return failure as TaskFailure;
}

const wholeOf = async (source: RemoteSource) => readFile((await source.whole()).path);

/** Every way in which a source is read; each gives what was read and what it should be. */
const readings: Record<
  string,
  { manners?: Manners; read: (o: RangeOrigin) => Promise<[Buffer, Buffer]>; body?: Buffer }
> = {
  'the first range, and one in the middle': {
    read: async (origin) => {
      const source = await opened(origin);
      const wanted: Span = [2 * MB, 3 * MB];
      await source.bring(wanted, false);
      return [(await readFile(source.parts().path)).subarray(...wanted), file.subarray(...wanted)];
    },
  },
  'the whole file by ranges': { read: async (origin) => [await wholeOf(await opened(origin)), file] },
  'the index of an mp4': {
    body: mp4,
    read: async (origin) => {
      const source = await opened(origin);
      const at: Span = [mp4.length - 100_000, mp4.length];
      expect(source.parts().present?.some(([from, to]) => from <= at[0] && to >= at[1])).toBe(true);
      return [(await readFile(source.parts().path)).subarray(...at), mp4.subarray(...at)];
    },
  },
  'the whole file, without ranges': {
    manners: { ranges: false, etag: () => '"one"' },
    read: async (origin) => [await wholeOf(await opened(origin)), file],
  },
  'the whole file, without ranges or validators': {
    manners: { ranges: false },
    read: async (origin) => [await wholeOf(await opened(origin)), file],
  },
  captions: {
    body: captions,
    read: async (origin) => [Buffer.from(await textAt(fetchedFrom(origin), settings())), captions],
  },
};

const pairs = Object.entries(stumbles).flatMap(([name, stumble]) =>
  Object.entries(readings).map(([what, how]) => ({ name, what, stumble, how })),
);

test.concurrent.each(pairs)(
  'an origin that stumbles twice at each read ($name) still gives $what',
  async ({ stumble, how }) => {
    const ranges = how.manners?.ranges !== false;
    const origin = await serve(stumblingAt(twiceARead(ranges), stumble, how.manners), how.body);
    const [got, wanted] = await how.read(origin);
    expect(got.equals(wanted)).toBe(true);
  },
);

describe('a read that goes on', () => {
  test('asks from the byte reached', async () => {
    const breaks = stumbles['short body'] ?? (() => {});
    const origin = await serve(stumblingAt(({ number }) => number === 1, breaks));
    const source = await opened(origin);
    const wanted: Span = [2 * MB, 3 * MB];
    await source.bring(wanted, false);
    const [, , resumed] = origin.asked;
    expect(resumed?.[0]).toBeGreaterThan(wanted[0]);
    expect(resumed?.[1]).toBe(wanted[1]);
    expect((await readFile(source.parts().path)).subarray(...wanted).equals(file.subarray(...wanted))).toBe(
      true,
    );
  });

  test('does so as often as bytes arrive, however often the connection breaks', async () => {
    let breaks = 0;
    const origin = await serve({
      instead: ({ response, span, file: body }) => {
        const [from, to] = span ?? [0, body.length];
        if (to - from <= 256 * 1024) return false;
        response.writeHead(206, { 'content-range': `bytes ${from}-${to - 1}/${body.length}` });
        response.write(body.subarray(from, from + 256 * 1024), () => response.socket?.destroySoon());
        breaks += 1;
        return true;
      },
    });
    expect((await wholeOf(await opened(origin))).equals(file)).toBe(true);
    expect(breaks).toBeGreaterThan(10);
  });

  test.each<[string, Manners]>([
    ['by its ETag, with ranges', { etag: (number) => `"${number}"` }],
    ['by its ETag, without ranges', { ranges: false, etag: (number) => `"${number}"` }],
  ])('is source_changed where the file is another one %s', async (_, manners) => {
    const breaks = stumbles['short body'] ?? (() => {});
    const origin = await serve(stumblingAt(({ number }) => number === 0, breaks, manners));
    expect((await failureOf(opened(origin).then(wholeOf))).code).toBe('source_changed');
  });

  test('is source_changed where bytes that come again differ, though the origin says nothing', async () => {
    const other = Buffer.from(file);
    other.writeUInt8(other.readUInt8(1000) ^ 1, 1000);
    const breaks = stumbles['short body'] ?? (() => {});
    const origin = await serve(
      stumblingAt(({ number }) => number === 0, breaks, {
        ranges: false,
        instead: ({ response }) => response.setHeader('content-length', other.length).end(other) && true,
      }),
    );
    expect((await failureOf(opened(origin).then(wholeOf))).code).toBe('source_changed');
    expect(origin.asked).toEqual([HEAD, null]);
  });

  test('waits as long as Retry-After says', async () => {
    const times: number[] = [];
    const origin = await serve({
      instead: ({ number, response }) => {
        times.push(performance.now());
        if (number === 0) response.writeHead(429, { 'retry-after': '2' }).end();
        return number === 0;
      },
    });
    await opened(origin);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1990);
  });

  test('ends with its reason when the task does, without another try', async () => {
    const control = new AbortController();
    const reason = new Error('stop');
    const origin = await serve({
      instead: ({ response }) => {
        response.writeHead(503, { 'retry-after': '60' }).end();
        setTimeout(() => control.abort(reason), 100);
        return true;
      },
    });
    await expect(opened(origin, { signal: control.signal })).rejects.toBe(reason);
    expect(origin.asked).toHaveLength(1);
  });

  test('passes the address guard again', async () => {
    const origin = await serve({
      instead: ({ number, response }) => {
        if (number === 0) response.writeHead(503).end();
        else response.writeHead(302, { location: 'https://169.254.169.254/latest/' }).end();
        return true;
      },
    });
    expect((await failureOf(opened(origin))).code).toBe('source_forbidden');
    expect(origin.asked).toHaveLength(2);
  });
});

describe('an origin that does not get better', () => {
  const codes: Record<string, string> = {
    'reset before the answer': 'source_unreachable',
    'hang-up before the answer': 'source_unreachable',
    'no answer': 'source_unreachable',
    'reset in the body': 'source_truncated',
    'short body': 'source_truncated',
    'stall in the body': 'source_too_slow',
  };
  test.concurrent.each(Object.entries(stumbles))(
    '(%s) is asked five times and then named',
    async (name, stumble) => {
      // No progress: what arrives of the body is below what renews the tries.
      const origin = await serve(
        stumblingAt(() => true, stumble),
        file.subarray(0, 50_000),
      );
      const failure = await failureOf(opened(origin));
      expect(failure.code).toBe(codes[name] ?? 'source_http_error');
      expect(failure.retryable ?? true).toBe(true);
      expect(failure.message).toMatch(/\(5 tries\)\.$/);
      expect(origin.asked).toHaveLength(5);
    },
  );

  test.each<[string, string, (origin: RangeOrigin) => Promise<unknown>, Manners?]>([
    ...[400, 401, 402, 403, 404, 405, 406, 410, 413, 418, 431, 451].map(
      (code): [string, string, (origin: RangeOrigin) => Promise<unknown>, Manners] => [
        `status ${code}`,
        'source_http_error',
        opened,
        { instead: ({ response }) => response.writeHead(code, { 'retry-after': '1' }).end() && true },
      ],
    ),
    [
      'an encoded body',
      'source_http_error',
      opened,
      { instead: ({ response }) => response.writeHead(200, { 'content-encoding': 'gzip' }).end() && true },
    ],
    ['text', 'source_not_media', opened, { instead: ({ response }) => response.end('#EXTM3U\n') && true }],
    ['a file over the limit', 'source_too_large', (origin) => opened(origin, { limitBytes: 1 * MB })],
    [
      'a redirect to a private address',
      'source_forbidden',
      opened,
      { instead: ({ response }) => response.writeHead(302, { location: 'https://10.0.0.1/' }).end() && true },
    ],
  ])('(%s) is asked once', async (_, code, read, manners = {}) => {
    const origin = await serve(manners);
    const failure = await failureOf(read(origin));
    expect([failure.code, failure.message]).toEqual([code, expect.not.stringContaining('tries')]);
    expect(failure.retryable ?? false).toBe(false);
    expect(origin.asked).toHaveLength(1);
  });
});

describe('a name server', () => {
  const url = { url: 'https://media.example.com' };
  const answers = (code: string) => {
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return Promise.reject(Object.assign(new Error('query failed'), { code }));
    };
    return { resolve, asked: () => asked };
  };

  test.each([
    ['ESERVFAIL', 5, true],
    ['ETIMEOUT', 5, true],
    ['EREFUSED', 5, true],
    ['ENOTFOUND', 1, false],
    ['ENODATA', 1, false],
  ])('that says %s is asked %i times', async (code, times, retryable) => {
    const names = answers(code);
    const failure = await failureOf(opened(url, names));
    expect(failure.code).toBe('source_unreachable');
    expect(failure.retryable ?? true).toBe(retryable);
    expect(names.asked()).toBe(times);
  });

  test('that fails at first is asked again, and its later answer judged', async () => {
    const origin = await serve({});
    const named = { url: origin.url.replace('127.0.0.1', 'localhost') };
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      if (asked < 3) throw Object.assign(new Error('query failed'), { code: 'ESERVFAIL' });
      return ['127.0.0.1'];
    };
    expect((await opened(named, { resolve })).bytes).toBe(file.length);
  });
});

describe('TLS', () => {
  /** Breaks the first connections during their handshake. */
  async function breaking(
    target: number,
    times: number,
  ): Promise<{ server: Server; port: number; seen: () => number }> {
    let seen = 0;
    const server = createServer((socket: Socket) => {
      seen += 1;
      socket.on('error', () => {});
      if (seen <= times) return void socket.once('data', () => socket.resetAndDestroy());
      const through = connect(target, '127.0.0.1');
      through.on('error', () => socket.destroy());
      socket.on('close', () => through.destroy());
      socket.pipe(through).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, port: (server.address() as { port: number }).port, seen: () => seen };
  }

  test('handshakes that break are repeated', async () => {
    const trusted = makeCertificate();
    setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);
    const secure = await startRangeOrigin(file, {}, trusted);
    origins.push(secure);
    const front = await breaking(Number(new URL(secure.url).port), 2);
    const source = await opened({ url: `https://127.0.0.1:${front.port}` });
    expect(source.bytes).toBe(file.length);
    expect(front.seen()).toBe(3);
    await source.close();
    front.server.close();
  });

  test('certificates that are not valid are shown once', async () => {
    const secure = await startRangeOrigin(file, {}, makeCertificate());
    origins.push(secure);
    const failure = await failureOf(opened(secure));
    expect(failure).toMatchObject({ code: 'source_unreachable', retryable: false });
    expect(failure.message).toContain('certificate');
    expect(secure.connections()).toBe(1);
  });
});
