import type { IncomingMessage } from 'node:http';
import { judgeUrl } from '../../guard/url.ts';
import { AddressRefused, notSent, type Post } from '../model/post.ts';
import { parseRetryAfter } from '../model/retry-pause.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { allowedAddresses, exchange, type GetOptions, securityWaits } from './guarded-get.ts';

/** A model may have to be loaded before the first response. The caller's signal ends the whole exchange earlier. */
const HEADERS_MS = 600_000;

/** POSTs to a URL of a caller, with the checks of `guardedGet`. */
export function guardedPost({ rules, resolve }: Pick<GetOptions, 'rules' | 'resolve'>): Post {
  return async ({ url, headers, body, mostBytes, signal }) => {
    const verdict = judgeUrl(url, rules);
    if (!verdict.allowed) throw new AddressRefused(verdict.detail);
    const waits = { ...securityWaits, headers: HEADERS_MS };
    let isConnected = false;
    const onConnected = () => {
      isConnected = true;
    };
    const options = { rules, resolve, signal, waits, posted: { headers, body }, onConnected };
    const exchanged = async () => exchange(verdict, await allowedAddresses(verdict, options), options);
    const response = await refusable(exchanged(), () => isConnected);
    return {
      status: response.statusCode ?? 0,
      retryAfter: parseRetryAfter(response.headers['retry-after']),
      body: await bodyOf(response, mostBytes),
    };
  };
}

async function refusable<T>(work: Promise<T>, isConnected: () => boolean): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    if (error.code === 'source_forbidden') throw new AddressRefused('Its host is not public.');
    if (!isConnected()) throw notSent(error.cause);
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
