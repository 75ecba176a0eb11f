import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Span } from '../../../transcoder/model/source/byte-ranges.ts';
import type { Exchange, Manners } from './range-origin.ts';
import {
  bytesOf,
  closeAll,
  codeOf,
  failureOf,
  file,
  HEAD,
  later,
  MB,
  makeDirectory,
  opened,
  part,
  removeDirectory,
  serve,
} from './range-stand.ts';

beforeAll(makeDirectory);
afterAll(removeDirectory);
afterEach(closeAll);

describe('a range that is not what was asked for', () => {
  test.each<[string, (exchange: Exchange) => void]>([
    ['another Content-Range', ({ response, file: body }) => part(response, body, [0, 1000])],
    ['none', ({ response }) => response.writeHead(206).end('a')],
    [
      'an unknown size',
      ({ response }) => response.writeHead(206, { 'content-range': 'bytes 0-0/*' }).end('a'),
    ],
    [
      'one byte of it',
      ({ response, file: body, span }) => part(response, body, [span?.[0] ?? 0, (span?.[0] ?? 0) + 1]),
    ],
    [
      '416',
      ({ response, file: body }) =>
        response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end(),
    ],
  ])('(%s) makes us fetch the whole file', async (_, answer) => {
    const origin = await serve(later(answer));
    const source = await opened(origin);
    const wanted: Span = [5 * MB, 6 * MB];
    expect((await bytesOf(source, wanted)).equals(file.subarray(...wanted))).toBe(true);
    expect(origin.asked).toEqual([HEAD, wanted, null]);
  });

  test('(a shorter one) is continued', async () => {
    const origin = await serve({
      instead: ({ response, file: body, span }) => {
        part(response, body, [span?.[0] ?? 0, Math.min(span?.[1] ?? 0, (span?.[0] ?? 0) + MB)]);
        return true;
      },
    });
    const source = await opened(origin);
    expect((await bytesOf(source, [5 * MB, 7 * MB])).equals(file.subarray(5 * MB, 7 * MB))).toBe(true);
    expect(origin.asked).toEqual([HEAD, [5 * MB, 7 * MB], [6 * MB, 7 * MB]]);
  });

  test.each<[string, string, (exchange: Exchange) => void]>([
    [
      'several parts',
      'source_http_error',
      ({ response }) =>
        response.writeHead(206, { 'content-type': 'multipart/byteranges; boundary=a' }).end('--a'),
    ],
    [
      'an encoded one',
      'source_http_error',
      ({ response }) => response.writeHead(206, { 'content-encoding': 'gzip' }).end('a'),
    ],
    ['404', 'source_http_error', ({ response }) => response.writeHead(404).end()],
    [
      'more bytes than announced',
      'source_http_error',
      ({ response, file: body, span }) => {
        const [from, to] = span ?? [0, 0];
        response.writeHead(206, { 'content-range': `bytes ${from}-${to - 1}/${body.length}` });
        response.end(body.subarray(from, to + 500));
      },
    ],
    [
      'fewer bytes than announced',
      'source_truncated',
      ({ response, file: body, span }) => {
        const [from, to] = span ?? [0, 0];
        response.writeHead(206, {
          'content-range': `bytes ${from}-${to - 1}/${body.length}`,
          'content-length': to - from,
        });
        response.write(body.subarray(from, to - 500), () => response.destroy());
      },
    ],
    [
      'a broken connection',
      'source_truncated',
      ({ response, file: body, span }) => {
        const [from, to] = span ?? [0, 0];
        response.writeHead(206, { 'content-range': `bytes ${from}-${to - 1}/${body.length}` });
        response.write(body.subarray(from, from + 500), () => response.socket?.resetAndDestroy());
      },
    ],
    ['an origin that hangs up', 'source_unreachable', ({ response }) => response.socket?.destroy()],
  ])('(%s) ends in %s, and so does whatever is asked for afterwards', async (_, code, answer) => {
    const origin = await serve(later(answer));
    const source = await opened(origin);
    expect(await codeOf(source.bring([5 * MB, 6 * MB], false))).toBe(code);
    expect(await codeOf(source.whole())).toBe(code);
  });
});

describe('a file that changes between two requests is source_changed', () => {
  test.each<[string, Manners]>([
    ['by its ETag', { etag: (number) => `"${Math.min(number, 1)}"` }],
    [
      'by its date',
      {
        instead: ({ number, response }) => {
          response.setHeader('last-modified', `Fri, 20 Nov 2026 10:00:0${Math.min(number, 1)} GMT`);
          return false;
        },
      },
    ],
    [
      'by its size',
      later(({ response, file: body, span }) => {
        const [from, to] = span ?? [0, 0];
        response.writeHead(206, { 'content-range': `bytes ${from}-${to - 1}/${body.length + 1}` });
        response.end(body.subarray(from, to));
      }),
    ],
    [
      'where ranges have ended with it',
      { ranges: (number) => number === 0, etag: (number) => `"${number}"` },
    ],
  ])('%s', async (_, manners) => {
    const origin = await serve(manners);
    const source = await opened(origin);
    const failure = await failureOf(source.bring([5 * MB, 6 * MB], false));
    expect(failure).toMatchObject({ code: 'source_changed' });
  });

  test('where it has become shorter than what is asked for', async () => {
    let body = file;
    const origin = await serve({
      instead: ({ number, response, span }) => {
        if (number > 0) body = file.subarray(0, 2 * MB);
        if (!span) response.end(body);
        else if (span[0] < body.length) part(response, body, [span[0], Math.min(span[1], body.length)]);
        else response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
        return true;
      },
    });
    const source = await opened(origin);
    expect(await codeOf(source.bring([5 * MB, 6 * MB], false))).toBe('source_changed');
  });
});
