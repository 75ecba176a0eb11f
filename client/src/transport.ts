import { ApiError, apiError, ConnectionError, SpoolError } from './errors.ts';
import { runtime } from './source.ts';

export interface SpoolOptions {
  /** Key of your account; `SPOOL_API_KEY` by default. */
  apiKey?: string | undefined;
  /** Address of the service, such as `https://spool.example.com`; `SPOOL_URL` by default. */
  baseUrl?: string | undefined;
  /** How often a request is tried again after an error that may pass; 4 by default. */
  retries?: number | undefined;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

export interface RequestOptions {
  query?: object | undefined;
  json?: unknown;
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
  /** How long the service may take to begin its response, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Whether sending the request twice does no harm, apart from its method. */
  repeatable?: boolean | undefined;
  /**
   * Called after a try that may have had its effect without a response that says so. A try that was sent then ends before
   * the signal counts.
   */
  onUnclear?: (() => void) | undefined;
}

const TIMEOUT_MS = 60_000;
/** A longer `Retry-After` is the caller's decision: the error has it. */
const LONGEST_PAUSE_SECONDS = 60;
const repeatableMethods = ['GET', 'PUT', 'DELETE'];

/** Sends requests with the key, and sends them again where that can help and does no harm. */
export class Transport {
  readonly baseUrl: string;
  readonly #key: string;
  readonly #retries: number;
  readonly #fetch: typeof fetch;

  constructor({ apiKey, baseUrl, retries = 4, fetch: own }: SpoolOptions) {
    const env = runtime()?.env ?? {};
    // In a page, '' is the server that the page comes from.
    const url = baseUrl ?? (env.SPOOL_URL || undefined);
    const key = apiKey ?? env.SPOOL_API_KEY;
    if (url === undefined)
      throw new SpoolError('Give `baseUrl`, or set SPOOL_URL to the address of your Spool service.');
    // A path is one of the server that a page comes from.
    if (!/^(?:https?:\/\/|[/.]|$)/i.test(url))
      throw new SpoolError(
        `The address of the service must begin with https:// or http://, such as https://spool.example.com; it is "${url}".`,
      );
    if (!key) throw new SpoolError('Give `apiKey`, or set SPOOL_API_KEY.');
    this.baseUrl = url.replace(/\/+$/, '');
    this.#key = key;
    this.#retries = retries;
    this.#fetch = own ?? fetch.bind(globalThis);
  }

  async json<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Body> {
    const response = await this.request(method, path, options);
    return (await response.json()) as Body;
  }

  /** A response without an error. @throws ApiError, ConnectionError */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { query = {}, json, headers, signal, timeoutMs, onUnclear } = options;
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = given.length > 0 ? `?${new URLSearchParams(given as [string, string][])}` : '';
    return this.fetch(
      `${this.baseUrl}${path}${search}`,
      {
        method,
        headers: {
          'x-api-key': this.#key,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      },
      { signal, timeoutMs, onUnclear, repeatable: options.repeatable ?? repeatableMethods.includes(method) },
    );
  }

  /** Fetches any address, such as one for uploads, without the key. */
  async fetch(url: string, init: RequestInit, options: RequestOptions = {}): Promise<Response> {
    const { signal, timeoutMs = TIMEOUT_MS, repeatable = true, onUnclear } = options;
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      const failure = await this.#once(url, init, onUnclear ? undefined : signal, timeoutMs);
      if (!(failure instanceof SpoolError)) return failure;
      if (!isRefusal(failure)) onUnclear?.();
      const after = failure instanceof ApiError ? failure.retryAfter : undefined;
      const mayRepeat = repeatable || (failure instanceof ApiError && failure.status === 429);
      const seconds = after ?? Math.min(8, 0.25 * 2 ** tries) * (0.5 + Math.random() / 2);
      if (!failure.retryable || !mayRepeat || tries >= this.#retries || seconds > LONGEST_PAUSE_SECONDS)
        throw failure;
      await pause(seconds, signal);
    }
  }

  async #once(url: string, init: RequestInit, signal: AbortSignal | undefined, timeoutMs: number) {
    // The time ends with the first byte: a large file may take as long as it needs.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
      const response = await this.#fetch(url, { ...init, signal: either });
      return response.ok ? response : await apiError(response);
    } catch (cause) {
      signal?.throwIfAborted();
      const origin = URL.canParse(url) ? new URL(url).origin : 'The service';
      const what = late.signal.aborted ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached';
      return new ConnectionError(`${origin} ${what}.`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether the service has certainly done nothing. */
const isRefusal = (failure: SpoolError) =>
  failure instanceof ApiError && (failure.status === 429 || (failure.status < 500 && !failure.retryable));

export async function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
