import { ApiError, apiError, ConnectionError, InvalidKeyError, SpoolError } from './errors.ts';
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
  /** How long the service may take to begin its response, or to send JSON, in milliseconds. */
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
    if (!canSend('x-api-key', key))
      throw new InvalidKeyError(
        'The key has a character that no key has, such as the “…” of an example or a line break. Copy the whole key.',
      );
    this.baseUrl = url.replace(/\/+$/, '');
    this.#key = key;
    this.#retries = retries;
    this.#fetch = own ?? fetch.bind(globalThis);
  }

  /** The JSON of a response. @throws ApiError, ConnectionError, SpoolError if it is something else */
  json<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Body> {
    return this.#withKey<Body>(method, path, options, jsonOf);
  }

  /** A response without an error. @throws ApiError, ConnectionError */
  request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    return this.#withKey(method, path, options, asItIs);
  }

  /** Fetches any address, such as one for uploads, without the key. */
  fetch(url: string, init: RequestInit, options: RequestOptions = {}): Promise<Response> {
    return this.#repeated(url, init, options, asItIs);
  }

  #withKey<Value>(method: string, path: string, options: RequestOptions, read: Read<Value>): Promise<Value> {
    const { query = {}, json, headers, repeatable = repeatableMethods.includes(method) } = options;
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = given.length > 0 ? `?${new URLSearchParams(given as [string, string][])}` : '';
    const init: RequestInit = {
      method,
      headers: {
        'x-api-key': this.#key,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      // A redirect would send the key elsewhere, and make a GET of a POST.
      redirect: 'manual',
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    };
    const readHere: Read<Value> = (response) => {
      if (isRedirect(response)) throw this.#redirected(response, `${path}${search}`);
      return read(response);
    };
    return this.#repeated(`${this.baseUrl}${path}${search}`, init, { ...options, repeatable }, readHere);
  }

  /** Browsers do not say where a redirect leads. */
  #redirected({ headers }: Response, path: string): SpoolError {
    const location = headers.get('location') ?? '';
    const to = URL.canParse(location, this.baseUrl) ? new URL(location, this.baseUrl).href : undefined;
    const where = to?.endsWith(path) ? to.slice(0, -path.length) : to;
    return new SpoolError(
      `${this.baseUrl} redirects${where === undefined ? '' : ` to ${where}`}. Requests with a key follow no redirect: set the address of the service itself, in \`baseUrl\` or SPOOL_URL.`,
    );
  }

  async #repeated<Value>(
    url: string,
    init: RequestInit,
    options: RequestOptions,
    read: Read<Value>,
  ): Promise<Value> {
    const { signal, timeoutMs = TIMEOUT_MS, repeatable = true, onUnclear } = options;
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      const failure = await this.#once(url, init, onUnclear ? undefined : signal, timeoutMs, read);
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

  async #once<Value>(
    url: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    timeoutMs: number,
    read: Read<Value>,
  ): Promise<Value | SpoolError> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    let problem = 'cannot be reached';
    try {
      const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
      const response = await this.#fetch(url, { ...init, signal: either });
      problem = 'broke off its response';
      const isMeant = response.ok || (init.redirect === 'manual' && isRedirect(response));
      return isMeant ? await read(response) : await apiError(response);
    } catch (cause) {
      if (cause instanceof SpoolError) return cause;
      signal?.throwIfAborted();
      const origin = URL.canParse(url) ? new URL(url).origin : 'The service';
      if (late.signal.aborted) problem = `did not answer within ${timeoutMs / 1000} s`;
      return new ConnectionError(`${origin} ${problem}.`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Refuses headers that would look like a service that cannot be reached, because `fetch` throws. @throws SpoolError */
export function checkHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers))
    if (!canSend(name, value))
      throw new SpoolError(
        `The header "${name}" cannot be sent: it has a character that headers cannot have. Use letters from a to z, digits and punctuation.`,
      );
}

function canSend(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}

/** What a caller needs of a response. The time limit of the request includes it. */
type Read<Value> = (response: Response) => Value | Promise<Value>;

/** Its body is not read yet: a large file may take as long as it needs. */
const asItIs = (response: Response) => response;

async function jsonOf<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Body;
  } catch (cause) {
    // Where the length of a response is not known, its end can be missing without an error.
    if (/json/i.test(response.headers.get('content-type') ?? '')) throw cause;
    const what = `answered with the status ${response.status}, but not with JSON`;
    throw new SpoolError(`${response.url || 'The server'} ${what}. Is this the address of a Spool service?`, {
      cause,
    });
  }
}

const isRedirect = ({ type, status }: Response) =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

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
