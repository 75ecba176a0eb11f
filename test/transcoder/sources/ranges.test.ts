import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Span } from '../../../transcoder/model/source/byte-ranges.ts';
import { makeCertificate } from './origin.ts';
import { startRangeOrigin } from './range-origin.ts';
import {
  bytesOf,
  closeAll,
  codeOf,
  file,
  HEAD,
  later,
  MB,
  makeDirectory,
  opened,
  origins,
  removeDirectory,
  serve,
} from './range-stand.ts';

beforeAll(makeDirectory);
afterAll(removeDirectory);
afterEach(closeAll);

describe('an origin that gives ranges', () => {
  test('is asked for what is wanted, and every byte arrives in its place', async () => {
    const origin = await serve();
    const source = await opened(origin);
    expect(source).toMatchObject({ format: 'matroska', bytes: file.length });
    expect(source.parts().present).toEqual([HEAD]);
    const wanted: Span = [5 * MB, 5 * MB + 100_000];
    expect((await bytesOf(source, wanted)).equals(file.subarray(...wanted))).toBe(true);
    expect(origin.asked).toEqual([HEAD, wanted]);
    expect(source.traffic).toEqual({ bytes: HEAD[1] + 100_000, requests: 2 });
    expect(source.parts().present).toEqual([HEAD, wanted]);
  });

  test('is asked over one connection, and over another where it has ended that', async () => {
    const sockets = new Set<Socket>();
    const origin = await serve({
      instead: ({ request }) => {
        sockets.add(request.socket);
        return false;
      },
    });
    const source = await opened(origin);
    await bytesOf(source, [2 * MB, 3 * MB]);
    expect(origin.connections()).toBe(1);
    for (const socket of sockets) socket.resetAndDestroy();
    await expect.poll(() => origin.open()).toBe(0);
    await bytesOf(source, [5 * MB, 6 * MB]);
    await bytesOf(source, [7 * MB, 8 * MB]);
    expect(origin.connections()).toBe(2);
  });

  test('may end a connection just when it is used again', async () => {
    const doomed = new Set<unknown>();
    const origin = await serve({
      instead: ({ number, request }) => {
        if (number === 0) doomed.add(request.socket);
        else if (doomed.has(request.socket)) request.socket.destroy();
        return request.socket.destroyed;
      },
    });
    const source = await opened(origin);
    const wanted: Span = [2 * MB, 3 * MB];
    expect((await bytesOf(source, wanted)).equals(file.subarray(...wanted))).toBe(true);
    expect(origin.asked).toEqual([HEAD, wanted, wanted]);
  });

  test('is not asked again for what is here or on its way', async () => {
    const origin = await serve();
    const source = await opened(origin);
    const wanted: Span = [2 * MB, 3 * MB];
    await Promise.all(Array.from({ length: 5 }, (_, n) => bytesOf(source, [2 * MB + n * 1000, 3 * MB])));
    await bytesOf(source, wanted);
    expect(origin.asked).toEqual([HEAD, wanted]);
  });

  test('gives the whole file in few requests, what is here already left out', async () => {
    const origin = await serve();
    const fractions: number[] = [];
    const source = await opened(origin, { onProgress: (fraction) => fractions.push(fraction) });
    await bytesOf(source, [4 * MB, 5 * MB]);
    const [one, other] = await Promise.all([source.whole(), source.whole()]);
    expect(one).toEqual(other);
    expect((await readFile(one.path)).equals(file)).toBe(true);
    expect(origin.asked).toEqual([HEAD, [4 * MB, 5 * MB], [HEAD[1], 4 * MB], [5 * MB, file.length]]);
    expect(source.traffic.bytes).toBe(file.length);
    expect(source.parts().present).toBeNull();
    expect(fractions.at(-1)).toBe(1);
    await bytesOf(source, [7 * MB, 8 * MB]);
    expect(origin.asked).toHaveLength(4);
  });

  test('gives a small file at once', async () => {
    const small = file.subarray(0, 300_000);
    const origin = await serve({}, small);
    const source = await opened(origin);
    expect(source.parts().present).toBeNull();
    expect((await readFile(source.parts().path)).equals(small)).toBe(true);
    expect(origin.asked).toEqual([HEAD, [HEAD[1], small.length]]);
  });

  test('may stand behind a redirect, which is judged at every request, and speak TLS', async () => {
    const trusted = makeCertificate();
    setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);
    const secure = await startRangeOrigin(file, {}, trusted);
    origins.push(secure);
    const moves = [secure.url, secure.url, 'https://169.254.169.254'];
    const origin = await serve({
      instead: ({ number, response }) => {
        response.writeHead(302, { location: `${moves[number]}/a` }).end();
        return true;
      },
    });
    const rules = { devOrigins: new Set([origin.url, secure.url]), ownHosts: new Set<string>() };
    const source = await opened(origin, { rules });
    const wanted: Span = [3 * MB, 4 * MB];
    expect((await bytesOf(source, wanted)).equals(file.subarray(...wanted))).toBe(true);
    expect(secure.asked).toEqual([HEAD, wanted]);
    expect(await codeOf(source.bring([6 * MB, 7 * MB], false))).toBe('source_forbidden');
  });
});

describe('an origin without ranges', () => {
  test('gives all of it at the first request', async () => {
    const origin = await serve({ ranges: false });
    const source = await opened(origin);
    expect(source.parts().present).toBeNull();
    expect((await readFile(source.parts().path)).equals(file)).toBe(true);
    expect(origin.asked).toEqual([HEAD]);
    expect(source.traffic).toEqual({ bytes: file.length, requests: 1 });
  });

  test('from the second request on gives all of it then', async () => {
    const origin = await serve({ ranges: (number) => number === 0, etag: () => '"one"' });
    const source = await opened(origin);
    const wanted: Span = [5 * MB, 6 * MB];
    expect((await bytesOf(source, wanted)).equals(file.subarray(...wanted))).toBe(true);
    expect((await readFile((await source.whole()).path)).equals(file)).toBe(true);
    expect(origin.asked).toEqual([HEAD, wanted]);
  });
});

describe('the limits hold', () => {
  test('of size, by what Content-Range says', async () => {
    const origin = await serve();
    expect(await codeOf(opened(origin, { limitBytes: file.length - 1 }))).toBe('source_too_large');
    expect(origin.asked).toEqual([HEAD]);
  });

  test('of pace, for every range', async () => {
    const origin = await serve(
      later(({ response, file: body, span }) => {
        const [from, to] = span ?? [0, 0];
        response.writeHead(206, { 'content-range': `bytes ${from}-${to - 1}/${body.length}` });
        let at = from;
        const timer = setInterval(() => response.write(body.subarray(at, ++at)), 20);
        response.on('close', () => clearInterval(timer));
      }),
    );
    const pace = { idle: 60_000, window: 300, bytesPerSecond: 65_536, every: 50 };
    const source = await opened(origin, { pace });
    expect(await codeOf(source.bring([5 * MB, 6 * MB], false))).toBe('source_too_slow');
  });

  test('of patience: an origin that falls silent is too slow', async () => {
    const origin = await serve(
      later(({ response, file: body, span }) => {
        const [from, to] = span ?? [0, 0];
        response.writeHead(206, { 'content-range': `bytes ${from}-${to - 1}/${body.length}` });
        response.write(body.subarray(from, from + 10));
      }),
    );
    const pace = { idle: 200, window: 60_000, bytesPerSecond: 1, every: 50 };
    const source = await opened(origin, { pace });
    expect(await codeOf(source.whole())).toBe('source_too_slow');
  });

  test('an empty file is no media, whichever way an origin says so', async () => {
    const empty = Buffer.alloc(0);
    expect(await codeOf(opened(await serve({}, empty)))).toBe('source_not_media');
    expect(await codeOf(opened(await serve({ ranges: false }, empty)))).toBe('source_not_media');
  });
});

test('an abort ends what is on its way with its reason', async () => {
  const origin = await serve(
    later(
      ({ response }) =>
        void response
          .writeHead(206, {
            'content-range': `bytes ${5 * MB}-${6 * MB - 1}/${file.length}`,
          })
          .write('a'),
    ),
  );
  const control = new AbortController();
  const source = await opened(origin, { signal: control.signal });
  const reason = new Error('stop');
  const work = source.bring([5 * MB, 6 * MB], false);
  await expect.poll(() => origin.asked.length).toBe(2);
  control.abort(reason);
  await expect(work).rejects.toBe(reason);
  await expect(source.whole()).rejects.toBe(reason);
});
