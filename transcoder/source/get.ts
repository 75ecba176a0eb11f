import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { addressIsAllowed, type GuardRules, judgeUrl } from '../../guard/url.ts';
import { TaskFailure } from '../failure.ts';
import type { Span } from '../spans.ts';
import { rangeHeader } from './content-range.ts';

export interface GetOptions {
  rules: GuardRules;
  signal: AbortSignal;
  /** Asks for these bytes alone; the answer may then also be a 206 or a 416. */
  range?: Span | undefined;
  /** Every address of a host name; the system's resolver where it is left out. */
  resolve?: ((host: string) => Promise<string[]>) | undefined;
  waits?: Waits | undefined;
}

/** Milliseconds to wait at most for each part of an exchange. */
export interface Waits {
  dns: number;
  connect: number;
  headers: number;
}

const securityWaits: Waits = { dns: 3000, connect: 10_000, headers: 15_000 };
const MAX_REDIRECTS = 3;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * GETs a caller's URL: every hop is judged by its text, by all addresses of its host and by the address that the socket
 * has. The answer is a 200, or what `range` allows, whose body has not been read. Throws TaskFailure.
 */
export async function guardedGet(text: string, options: GetOptions): Promise<IncomingMessage> {
  let from: URL | undefined;
  let next = text;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const verdict = judgeUrl(next, options.rules);
    if (!verdict.allowed) {
      if (from) throw new TaskFailure('source_forbidden', 'The source redirects to an address not allowed');
      throw new TaskFailure(verdict.code, verdict.detail);
    }
    const { url } = verdict;
    if (from?.protocol === 'https:' && url.protocol !== 'https:') {
      throw new TaskFailure('source_forbidden', 'The source redirects away from https');
    }
    const response = await exchange(url, await allowedAddresses(verdict, options), options);
    const status = response.statusCode ?? 0;
    if (status === 200 || (options.range && (status === 206 || status === 416))) return response;
    response.destroy();
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, url.href)) {
      throw new TaskFailure('source_http_error', `The source answered with status ${status}`);
    }
    from = url;
    next = new URL(location, url).href;
  }
  throw new TaskFailure('source_http_error', `The source redirects more than ${MAX_REDIRECTS} times`);
}

async function allowedAddresses(
  verdict: { url: URL; development: boolean },
  options: GetOptions,
): Promise<string[]> {
  const host = verdict.url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : await resolveHost(host, options);
  if (!addresses.every((address) => addressIsAllowed(address, verdict))) {
    throw new TaskFailure('source_forbidden', 'The host is not public');
  }
  return addresses;
}

async function resolveHost(host: string, { resolve = systemResolve, waits, signal }: GetOptions) {
  const timer = AbortSignal.timeout((waits ?? securityWaits).dns);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const either = AbortSignal.any([signal, timer]);
  either.addEventListener('abort', () => reject(either.reason), { once: true });
  try {
    const addresses = await Promise.race([resolve(host), ended]);
    if (addresses.length > 0) return addresses;
  } catch (cause) {
    signal.throwIfAborted();
    throw unreachable(cause);
  }
  throw unreachable();
}

async function systemResolve(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function exchange(url: URL, addresses: string[], options: GetOptions): Promise<IncomingMessage> {
  const { signal, range, waits = securityWaits } = options;
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request(url, {
    method: 'GET',
    agent: false,
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    lookup: pinned(addresses),
    headers: {
      ...{ accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Spool/1' },
      ...(range ? { range: rangeHeader(range) } : {}),
    },
  });
  let timer = setTimeout(() => outgoing.destroy(unreachable()), waits.connect);
  outgoing.once('socket', (socket: Socket) => {
    socket.once('connect', () => {
      if (!socket.remoteAddress || !addresses.includes(socket.remoteAddress)) {
        outgoing.destroy(new TaskFailure('source_forbidden', 'The host is not public'));
      }
    });
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      timer = setTimeout(() => outgoing.destroy(unreachable()), waits.headers);
    });
  });
  outgoing.once('response', (response) => {
    clearTimeout(timer);
    resolve(response);
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    if (error instanceof TaskFailure) reject(error);
    else if (signal.aborted) reject(signal.reason);
    else if (error.code?.startsWith('HPE_')) {
      reject(new TaskFailure('source_http_error', 'The source did not answer in HTTP', { cause: error }));
    } else reject(unreachable(error));
  });
  outgoing.end();
  return promise;
}

/** Answers with the addresses that were judged, so that a second resolution cannot change them. */
function pinned(addresses: string[]): NonNullable<RequestOptions['lookup']> {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all: every }, callback) => {
    const [first] = all;
    if (every) callback(null, all);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}

function unreachable(cause?: unknown): TaskFailure {
  return new TaskFailure('source_unreachable', 'The source could not be reached', { cause });
}
