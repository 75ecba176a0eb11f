import { readFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { fixture } from '../fixtures/make.ts';
import { type Case, type Ending, serve } from './case.ts';
import type { Stand } from './stand.ts';

const MP4_HEAD = Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1');
/** A box of media data that ends far behind the file. */
const ENDLESS_BOX = Buffer.from('\0\0\0\x01mdat\0\0\0\x7f\0\0\0\0', 'latin1');

/** A file whose index is behind so much media that it takes a request of its own. */
function indexedBehind(length: number): Buffer {
  const header = Buffer.from('\0\0\0\0mdat', 'latin1');
  header.writeUInt32BE(header.length + length);
  return Buffer.concat([MP4_HEAD, header, Buffer.alloc(length), Buffer.from('\0\0\0\x08moov', 'latin1')]);
}
const clip = () => readFileSync(fixture('plain.mp4'));

type Answer = (stand: Stand) => RequestListener;
type Row = { answer: Answer; ends: Ending | readonly Ending[]; within?: number } & Pick<
  Case,
  'certificate' | 'alone'
>;

const to =
  (location: string | ((stand: Stand) => string), status = 302): Answer =>
  (stand) =>
  (_, response) =>
    response
      .writeHead(status, { location: typeof location === 'function' ? location(stand) : location })
      .end();

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  () =>
  (_, response) =>
    response.writeHead(code, headers).end('<h1>secret of the origin</h1>');

const raw =
  (text: string): Answer =>
  () =>
  (_, response) =>
    response.socket?.end(text);

const forever = (response: ServerResponse, ms: number, write: () => void) => {
  const timer = setInterval(write, ms);
  response.on('close', () => clearInterval(timer));
};

/** A chain of redirects, each to the next, and at its end the clip. */
const chain =
  (length: number): Answer =>
  () => {
    const whole = serve(clip());
    return (request, response) => {
      const [, slug = '', step = ''] = (request.url ?? '').split('/');
      const next = step === 'a' ? 1 : Number(step) + 1;
      if (next > length) whole(request, response);
      else response.writeHead(302, { location: `/${slug}/${next}` }).end();
    };
  };

/** What takes long to be found out; to be started first. */
const slow: Record<string, Row> = {
  'one byte a second': {
    answer: () => (_, response) => {
      response.writeHead(200).write(MP4_HEAD);
      forever(response, 1000, () => response.write('x'));
    },
    ends: 'source_too_slow',
    within: 60,
  },
  'a burst, then one byte a second': {
    answer: () => (_, response) => {
      response.writeHead(200).write(Buffer.concat([MP4_HEAD, ENDLESS_BOX, Buffer.alloc(256 * 1024)]));
      forever(response, 1000, () => response.write('x'));
    },
    ends: 'source_too_slow',
    within: 60,
  },
  'silence behind the first bytes': {
    answer: () => (_, response) => void response.writeHead(200).write(MP4_HEAD),
    ends: 'source_too_slow',
    within: 45,
  },
  'no answer at all': { answer: () => () => {}, ends: 'source_unreachable', within: 25, alone: true },
  'headers one letter at a time': {
    answer: () => (_, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\nX-Long: ');
      forever(response, 500, () => response.socket?.write('a'));
    },
    ends: 'source_unreachable',
    within: 45,
  },
  'early hints without end': {
    answer: () => (_, response) =>
      forever(response, 100, () => response.writeEarlyHints({ link: '</a>; rel=preload' })),
    ends: 'source_unreachable',
    within: 45,
  },
};

const redirects: Record<string, Row> = {
  'a redirect to plain http': { answer: to('http://media.example.com/a.mp4'), ends: 'source_forbidden' },
  'a redirect from https to http': {
    answer: to(({ origins }) => `${origins.plain.url}/a`),
    certificate: 'trusted',
    ends: 'source_forbidden',
  },
  'a redirect to a port of loopback': {
    answer: to(({ canary }) => `http://127.0.0.1:${canary.port}/`),
    ends: 'source_forbidden',
  },
  'a redirect to loopback over https': { answer: to('https://127.0.0.1/'), ends: 'source_forbidden' },
  'a redirect to IPv6 loopback': { answer: to('https://[::1]/', 301), ends: 'source_forbidden' },
  'a redirect to loopback as one number': {
    answer: to('https://2130706433/', 307),
    ends: 'source_forbidden',
  },
  'a redirect to the metadata service': {
    answer: to('https://169.254.169.254/latest/meta-data/', 308),
    ends: 'source_forbidden',
  },
  'a redirect to a private network': { answer: to('https://10.0.0.1/', 303), ends: 'source_forbidden' },
  'a redirect to a name of loopback': {
    answer: to('https://loopback.spool-attack.net/'),
    ends: 'source_forbidden',
  },
  'a redirect to localhost': { answer: to('https://localhost/'), ends: 'source_forbidden' },
  'a redirect to another host without a scheme': {
    answer: to(({ canary }) => `//127.0.0.1:${canary.port}/`),
    ends: 'source_forbidden',
  },
  'a redirect with user information': {
    answer: to(({ origins }) => `${origins.plain.url.replace('//', '//a:b@')}/a`),
    ends: 'source_forbidden',
  },
  'a redirect with backslashes': {
    answer: to(({ canary }) => `\\\\127.0.0.1:${canary.port}\\`),
    ends: 'source_forbidden',
  },
  'a redirect to a file': { answer: to('file:///etc/passwd'), ends: 'source_forbidden' },
  'a redirect to data': { answer: to('data:video/mp4;base64,AAAA'), ends: 'source_forbidden' },
  'a redirect to ftp': { answer: to('ftp://127.0.0.1/a.mp4'), ends: 'source_forbidden' },
  'a redirect to our own API': {
    answer: to(({ service }) => `${service.url.origin}/healthz`),
    ends: 'source_forbidden',
  },
  'a redirect to the transcoder': {
    answer: to(({ transcoder }) => `${transcoder.url}/readyz`),
    ends: 'source_forbidden',
  },
  'a redirect to itself': { answer: chain(Number.POSITIVE_INFINITY), ends: 'source_http_error' },
  'a chain of four redirects': { answer: chain(4), ends: 'source_http_error' },
  'a chain of three redirects': { answer: chain(3), ends: 'completed', within: 45 },
  'an empty Location': { answer: to(''), ends: 'source_http_error' },
  'a redirect without Location': { answer: status(302), ends: 'source_http_error' },
  'a Location that is no URL': { answer: to('https://['), ends: 'source_http_error' },
  'a Location of 8 000 characters': { answer: to(`/${'a'.repeat(8000)}`), ends: 'source_forbidden' },
  'a redirect behind the first range': {
    answer: () => {
      const whole = serve(indexedBehind(4_000_000));
      return (request, response) =>
        request.headers.range?.startsWith('bytes=0-')
          ? whole(request, response)
          : response.writeHead(302, { location: 'https://127.0.0.1/' }).end();
    },
    ends: ['source_forbidden', 'source_not_media'],
  },
};

const statuses: Record<string, Row> = Object.fromEntries(
  [201, 203, 204, 205, 206, 300, 304, 400, 401, 403, 404, 407, 410, 416, 418, 429, 500, 502, 503, 999].map(
    (code) => [`status ${code}`, { answer: status(code), ends: 'source_http_error' } satisfies Row],
  ),
);

const bodies: Record<string, Row> = {
  'a body without end': {
    answer: () => (_, response) => {
      response.writeHead(200).write(Buffer.concat([MP4_HEAD, ENDLESS_BOX]));
      const block = Buffer.alloc(1024 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', more);
      more();
    },
    ends: 'source_too_large',
    // Half a gigabyte is read until the limit of the plan: a busy machine takes its time.
    within: 150,
    alone: true,
  },
  'a Content-Length over the limit of the plan': {
    answer: () => (_, response) =>
      void response.writeHead(200, { 'content-length': 600_000_000 }).write(MP4_HEAD),
    ends: 'source_too_large',
  },
  'a Content-Range over the limit of the plan': {
    answer: () => (_, response) =>
      response
        .writeHead(206, { 'content-range': 'bytes 0-65535/600000000', 'content-length': 65_536 })
        .end(Buffer.concat([MP4_HEAD, Buffer.alloc(65_536 - MP4_HEAD.length)])),
    ends: 'source_too_large',
  },
  'a Content-Length larger than the body': {
    answer: () => (_, response) => {
      response.writeHead(200, { 'content-length': 900_000 });
      response.write(clip().subarray(0, 50_000), () => response.destroy());
    },
    ends: 'source_truncated',
  },
  'a Content-Length smaller than the body': {
    answer: () => (_, response) => {
      const bytes = clip();
      response.socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length - 20_000}\r\n\r\n`);
      response.socket?.end(bytes);
    },
    ends: ['source_not_media', 'source_truncated', 'source_http_error', 'source_no_video'],
  },
  'a negative Content-Length': {
    answer: raw('HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc'),
    ends: 'source_http_error',
  },
  'two Content-Lengths': {
    answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 300\r\n\r\nabc'),
    ends: 'source_http_error',
  },
  'a Content-Length beside chunks': {
    answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    ends: ['source_http_error', 'source_not_media'],
  },
  'a chunk of a size without end': {
    answer: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc'),
    ends: ['source_http_error', 'source_truncated'],
  },
  'a reset in the middle': {
    answer: () => (_, response) => {
      response.writeHead(200, { 'content-length': 900_000 });
      response.write(clip().subarray(0, 50_000), () => response.socket?.resetAndDestroy());
    },
    ends: 'source_truncated',
  },
  'a reset before any answer': {
    answer: () => (_, response) => void response.socket?.resetAndDestroy(),
    ends: 'source_unreachable',
  },
  'chunks that break off': {
    answer: raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n\0\0\0\x20ftypisom'),
    ends: 'source_truncated',
  },
  'an empty body': { answer: () => (_, response) => void response.end(), ends: 'source_not_media' },
  'a header of 1 MB': {
    answer: () => (_, response) => void response.writeHead(200, { 'x-long': 'a'.repeat(1_000_000) }).end(),
    ends: 'source_http_error',
  },
  '10 000 headers': {
    answer: () => (_, response) => {
      const headers = Array.from({ length: 10_000 }, (__, index) => `X-${index}: a\r\n`).join('');
      response.socket?.end(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
    },
    ends: 'source_http_error',
  },
  'no HTTP': { answer: raw('SSH-2.0-OpenSSH_10.0\r\n'), ends: 'source_http_error' },
  'HTTP/2': { answer: raw('HTTP/2.0 200 OK\r\n\r\n'), ends: ['source_http_error', 'source_not_media'] },
  'a line break in the status': {
    answer: raw('HTTP/1.1 200\nOK\r\n\n\r\n\r\n'),
    ends: ['source_http_error', 'source_not_media'],
  },
  'a gzip bomb': {
    answer: () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      return (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    },
    ends: 'source_http_error',
  },
  'a page of HTML': {
    answer: () => (_, response) => void response.end('<!doctype html><title>secret of the origin</title>'),
    ends: 'source_not_media',
  },
  'several parts for one range': {
    answer: () => (_, response) =>
      void response.writeHead(206, { 'content-type': 'multipart/byteranges; boundary=x' }).end('--x--'),
    ends: 'source_http_error',
  },
  'another range than was asked for': {
    answer: () => (_, response) =>
      void response.writeHead(206, { 'content-range': 'bytes 10-19/20' }).end('0123456789'),
    ends: 'source_http_error',
  },
  'more bytes than the range': {
    answer: raw(`HTTP/1.1 206 OK\r\nContent-Range: bytes 0-9/10\r\n\r\n${'\0\0\0\x20ftypisom'.repeat(9)}`),
    ends: 'source_http_error',
  },
  'a file that changes between two requests': {
    answer: () => {
      let asked = 0;
      return (request, response) => {
        asked += 1;
        const whole = serve(indexedBehind(4_000_000 + asked));
        whole(request, response);
      };
    },
    ends: ['source_changed', 'source_not_media'],
  },
  'ranges at first, then none': {
    answer: () => {
      const whole = serve(indexedBehind(4_000_000));
      return (request, response) =>
        request.headers.range?.startsWith('bytes=0-')
          ? whole(request, response)
          : response.writeHead(404).end();
    },
    ends: ['source_http_error', 'source_not_media'],
  },
  'a media type that lies': {
    answer: () => (_, response) =>
      void response.writeHead(200, { 'content-type': 'video/mp4' }).end('#EXTM3U\n#EXTINF:1,\n/etc/passwd\n'),
    ends: 'source_not_media',
  },
};

const certificates: Record<string, Row> = {
  'a certificate that nobody vouches for': {
    answer: () => serve(clip()),
    certificate: 'untrusted',
    ends: 'source_unreachable',
  },
  'a certificate that has expired': {
    answer: () => serve(clip()),
    certificate: 'expired',
    ends: 'source_unreachable',
  },
  'a certificate for another name': {
    answer: () => serve(clip()),
    certificate: 'misnamed',
    ends: 'source_unreachable',
  },
  'a certificate that is right': {
    answer: () => serve(clip()),
    certificate: 'trusted',
    ends: 'completed',
    within: 45,
  },
};

/** How an origin may behave, the slowest first. */
export const originCases: Case[] = Object.entries({
  ...slow,
  ...bodies,
  ...redirects,
  ...statuses,
  ...certificates,
}).map(([name, { ends, within = 30, ...row }]) => ({
  name,
  ...row,
  ends: typeof ends === 'string' ? [ends] : ends,
  within,
}));
