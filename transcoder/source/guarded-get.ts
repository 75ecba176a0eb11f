import { isUtf8 } from 'node:buffer';
import { NODATA, NOTFOUND } from 'node:dns';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { TLSSocket } from 'node:tls';
import { addressIsAllowed, type GuardRules, judgeUrl } from '../../guard/url.ts';
import { parseRetryAfter } from '../model/retry-pause.ts';
import type { Span } from '../model/source/byte-ranges.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { rangeHeader } from './content-range.ts';
import { type Resolve, resolver } from './resolve-host.ts';
import { afterRunning } from './running-time.ts';

export interface GetOptions {
  rules: GuardRules;
  signal: AbortSignal;
  /** Requests only these bytes; the response may then also be a 206 or a 416. */
  range?: Span | undefined;
  /** Defaults to the name servers of the system. */
  resolve?: Resolve | undefined;
  waits?: Waits | undefined;
  /** Keeps connections open for the next request. Otherwise each request opens a new one. */
  connections?: Connections | undefined;
  /** Sends a POST with these headers and this body in place of a GET. */
  posted?: { headers: Record<string, string>; body: Uint8Array } | undefined;
  /** Called when a connection is ready, before anything is sent. */
  onConnected?: (() => void) | undefined;
}

interface Connections {
  http: HttpAgent;
  https: HttpsAgent;
}

/** For several requests to one source: a connection that passed the guard is reused. */
export function keptConnections(): Connections {
  return { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
}

/** Longest wait for each part of an exchange, in milliseconds. */
interface Waits {
  dns: number;
  connect: number;
  headers: number;
}

export const securityWaits: Waits = { dns: 3000, connect: 10_000, headers: 15_000 };
/**
 * How long one of several addresses is waited for: a packet that was lost is sent again after a second. Node leaves each but the last one
 * after a quarter of that, and the last may be of a network that is not there.
 */
const ATTEMPT_MS = 2500;
export const MAX_REDIRECTS = 3;
const redirects: readonly number[] = [301, 302, 303, 307, 308];
/** 4xx statuses that may not recur for the same request: 408 Request Timeout, 425 Too Early, 429 Too Many Requests. */
const mayPass: readonly number[] = [408, 425, 429];
export const MAX_HEADER_BYTES = 16 * 1024;

/**
 * GETs a caller's URL. Every hop is checked by its text, by all addresses of its host and by the address of the
 * connected socket. Returns a 200, or what `range` allows, with its body unread. Throws TaskFailure.
 */
export async function guardedGet(text: string, options: GetOptions): Promise<IncomingMessage> {
  let from: URL | undefined;
  let next = text;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const verdict = judgeUrl(next, options.rules);
    if (!verdict.allowed) {
      if (from) {
        const address =
          verdict.code === 'source_not_https' ? 'does not begin with https://' : 'is not allowed';
        throw new TaskFailure('source_forbidden', `The source redirects to an address that ${address}.`);
      }
      throw new TaskFailure(verdict.code, verdict.detail);
    }
    const { url } = verdict;
    if (from?.protocol === 'https:' && url.protocol !== 'https:') {
      throw new TaskFailure('source_forbidden', 'The source redirects from https to http.');
    }
    const addresses = await allowedAddresses(verdict, options);
    const response = await exchange(verdict, addresses, options);
    const status = response.statusCode ?? 0;
    if (status === 200 || (options.range && (status === 206 || status === 416))) return response;
    response.destroy();
    const { 'retry-after': retryAfter } = response.headers;
    const location = asSent(response.headers.location);
    if (!redirects.includes(status)) {
      throw new TaskFailure('source_http_error', `The source returned HTTP status ${status}.`, {
        retryable: status < 400 || status >= 500 || mayPass.includes(status),
        retryAfter: parseRetryAfter(retryAfter),
      });
    }
    if (!location || !URL.canParse(location, url.href)) {
      throw new TaskFailure(
        'source_http_error',
        `The source redirects with HTTP status ${status} to no valid address.`,
        { retryable: false },
      );
    }
    from = url;
    next = new URL(location, url).href;
  }
  throw new TaskFailure('source_http_error', `The source redirects more than ${MAX_REDIRECTS} times.`, {
    retryable: false,
  });
}

/** Node reads a header as Latin-1, but servers send addresses in UTF-8, as browsers understand them. */
function asSent(header = ''): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}

interface Allowed {
  url: URL;
  development: boolean;
}

/** All addresses of the host, if every one of them is allowed. Throws TaskFailure. */
export async function allowedAddresses(verdict: Allowed, options: GetOptions): Promise<string[]> {
  const host = verdict.url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : await resolveHost(host, options);
  if (!addresses.every((address) => addressIsAllowed(address, verdict))) {
    throw new TaskFailure('source_forbidden', 'The host of the source is not public.');
  }
  return addresses;
}

async function resolveHost(host: string, { resolve = resolver(), waits, signal }: GetOptions) {
  const timer = AbortSignal.timeout((waits ?? securityWaits).dns);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const either = AbortSignal.any([signal, timer]);
  either.addEventListener('abort', () => reject(either.reason), { once: true });
  try {
    const addresses = await Promise.race([resolve(host), ended]);
    if (addresses.length > 0) return addresses;
  } catch (cause) {
    signal.throwIfAborted();
    throw nameIsUnknown(cause) ? unknownHost(cause) : unreachable(cause);
  }
  throw unknownHost();
}

/** One request to the checked addresses. @returns any response, with its body unread */
export function exchange(
  verdict: Allowed,
  addresses: string[],
  options: GetOptions,
): Promise<IncomingMessage> {
  const { signal, range, connections, posted, onConnected, waits = securityWaits } = options;
  const { url } = verdict;
  const secure = url.protocol === 'https:';
  const request = secure ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    method: posted ? 'POST' : 'GET',
    agent: (secure ? connections?.https : connections?.http) ?? false,
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    lookup: pinned(addresses),
    autoSelectFamilyAttemptTimeout: Math.min(ATTEMPT_MS, Math.ceil(waits.connect / addresses.length)),
    headers: {
      ...{ accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Spool/1' },
      ...(range ? { range: rangeHeader(range) } : {}),
      ...posted?.headers,
    },
  };
  const outgoing = request(url, asked);
  const giveUp = () => outgoing.destroy(unreachable());
  let stopWaiting = afterRunning(waits.connect, giveUp);
  const judge = (allowed: boolean) => {
    if (!allowed)
      outgoing.destroy(new TaskFailure('source_forbidden', 'The host of the source is not public.'));
  };
  const awaitHeaders = () => {
    onConnected?.();
    stopWaiting();
    stopWaiting = afterRunning(waits.headers, giveUp);
  };
  outgoing.once('socket', (socket: Socket) => {
    if (outgoing.reusedSocket) {
      judge(addressIsAllowed(socket.remoteAddress ?? '', verdict));
      awaitHeaders();
      return;
    }
    socket.once('connect', () => judge(addresses.includes(socket.remoteAddress ?? '')));
    socket.once(secure ? 'secureConnect' : 'connect', awaitHeaders);
  });
  let answered = false;
  outgoing.once('response', (response) => {
    answered = true;
    stopWaiting();
    resolve(response);
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    stopWaiting();
    if (outgoing.reusedSocket && !answered && !signal.aborted && endedByOther(error)) {
      resolve(exchange(verdict, addresses, { ...options, connections: undefined }));
    } else reject(signal.aborted ? signal.reason : failureOf(error, certificateRefused(outgoing.socket)));
  });
  outgoing.end(posted?.body);
  return promise;
}

/** The other side may close a kept connection just before it is reused. */
function endedByOther({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(code);
}

function failureOf(error: NodeJS.ErrnoException, refused: boolean): TaskFailure {
  if (error instanceof TaskFailure) return error;
  if (refused) {
    const detail = 'The TLS certificate of the source is not valid.';
    return new TaskFailure('source_unreachable', detail, { retryable: false, cause: error });
  }
  if (!error.code?.startsWith('HPE_')) return unreachable(error);
  const detail = 'The source did not send a valid HTTP response.';
  return new TaskFailure('source_http_error', detail, { retryable: false, cause: error });
}

function certificateRefused(socket: Socket | null): boolean {
  return socket instanceof TLSSocket && Boolean(socket.authorizationError);
}

/** These DNS answers are final, unlike a name server that fails or does not answer. */
function nameIsUnknown(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === NOTFOUND || code === NODATA;
}

/** Resolves to the addresses that were checked, which rules out DNS rebinding. */
function pinned(addresses: string[]): NonNullable<RequestOptions['lookup']> {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all: every }, callback) => {
    const [first] = all;
    if (every) callback(null, all);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}

function unreachable(cause?: unknown): TaskFailure {
  return new TaskFailure('source_unreachable', 'The source could not be reached.', { cause });
}

function unknownHost(cause?: unknown): TaskFailure {
  const detail = 'The host name of the source does not resolve to an address.';
  return new TaskFailure('source_unreachable', detail, { retryable: false, cause });
}
