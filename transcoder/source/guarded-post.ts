import type { IncomingMessage } from 'node:http';
import { judgeUrl } from '../../guard/url.ts';
import { AddressRefused, NotSent, type Post } from '../model/post.ts';
import { parseRetryAfter } from '../model/retry-pause.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { allowedAddresses, exchange, type GetOptions, securityWaits } from './guarded-get.ts';

/** A model may have to be loaded before the first response. The caller's signal ends the whole exchange earlier. */
const HEADERS_MS = 600_000;

/** Errors raised before a connection exists. */
const NOT_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

/** POSTs to a URL of a caller, with the checks of `guardedGet`. */
export function guardedPost({ rules, resolve }: Pick<GetOptions, 'rules' | 'resolve'>): Post {
  return async ({ url, headers, body, mostBytes, signal }) => {
    const verdict = judgeUrl(url, rules);
    if (!verdict.allowed) throw new AddressRefused(verdict.detail);
    const waits = { ...securityWaits, headers: HEADERS_MS };
    const options = { rules, resolve, signal, waits, posted: { headers, body } };
    const addresses = await refusable(allowedAddresses(verdict, options), true);
    const response = await refusable(exchange(verdict, addresses, options), false);
    return {
      status: response.statusCode ?? 0,
      retryAfter: parseRetryAfter(response.headers['retry-after']),
      body: await bodyOf(response, mostBytes),
    };
  };
}

/** @param before Whether nothing can have been sent yet. */
async function refusable<T>(work: Promise<T>, before: boolean): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    if (error.code === 'source_forbidden') throw new AddressRefused('Its host is not public.');
    const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
    if (before || NOT_CONNECTED.includes(code)) throw new NotSent('not connected', { cause: error });
    throw error;
  }
}

async function bodyOf(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the response has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error('the response ended early');
  return Buffer.concat(chunks);
}
