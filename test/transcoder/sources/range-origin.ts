import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Certificate, type Origin, startOrigin } from './origin.ts';

/** How an origin treats a request for a part of a file. */
export interface Manners {
  /** Whether it knows ranges; a function is asked with the number of the request, counted from 0. */
  ranges?: boolean | ((request: number) => boolean);
  etag?: (request: number) => string;
  /** What it does instead. @returns false to go on as usual. */
  instead?: (exchange: Exchange) => boolean;
}

export interface Exchange {
  /** Counted from 0. */
  number: number;
  request: IncomingMessage;
  response: ServerResponse;
  file: Buffer;
  /** What was asked for, the end not among it; null for all. */
  span: [number, number] | null;
}

export interface RangeOrigin extends Origin {
  /** Every request so far: what it asked for, null for all. */
  asked: ([number, number] | null)[];
  /** Bytes of bodies that were sent, as far as they were accepted by the socket. */
  sent: () => number;
}

/** Serves one file as storage does: RFC 9110, 14. */
export async function startRangeOrigin(
  path: string | Buffer,
  manners: Manners = {},
  tls?: Certificate,
): Promise<RangeOrigin> {
  const file = typeof path === 'string' ? await readFile(path) : path;
  const asked: ([number, number] | null)[] = [];
  let sent = 0;
  const origin = await startOrigin((request, response) => {
    const number = asked.length;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const span: [number, number] | null =
      first && last ? [Number(first), Math.min(Number(last) + 1, file.length)] : null;
    asked.push(span);
    if (manners.instead?.({ number, request, response, file, span })) return;
    if (manners.etag) response.setHeader('etag', manners.etag(number));
    const { ranges = true } = manners;
    if (!span || !(typeof ranges === 'function' ? ranges(number) : ranges)) {
      sent += file.length;
      response.setHeader('content-length', file.length).end(file);
    } else if (span[0] >= file.length) {
      response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
    } else {
      const part = file.subarray(...span);
      sent += part.length;
      response.writeHead(206, {
        'content-range': `bytes ${span[0]}-${span[1] - 1}/${file.length}`,
        'content-length': part.length,
      });
      response.end(part);
    }
  }, tls);
  return { ...origin, asked, sent: () => sent };
}
