import { AddressRefused, CertificateRefused, NotSent, type PostAnswer } from '../../../model/post.ts';
import type { SpeechEndpoint } from '../../../model/speech-endpoint.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { type Outcome, tried } from './tries.ts';

export interface EndpointRequest<T> {
  /** Below the endpoint's URL. */
  path: '/v1/audio/transcriptions' | '/v1/audio/speech';
  model: string;
  /** Extra headers, such as the content type. */
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
  mostBytes: number;
  /** Reads a successful response. Throws if it is not what was asked for. */
  read: (body: Buffer) => T;
}

/** The API understood the request, and refuses it as it is. */
export class RequestRefused extends TaskFailure {}

/** A server may load its model at the first request. */
const TIMEOUT_MS = 300_000;
/** A limit on requests per minute is waited out. */
const LONGEST_WAIT_SECONDS = 60;

/**
 * Asks a speech API, and again where that is safe. Throws `provider_rejected_key`, `engine_unavailable` or `engine_failed`, without
 * quoting the response; or the reason of `signal`.
 */
export function askEndpoint<T>(
  endpoint: SpeechEndpoint,
  request: EndpointRequest<T>,
  signal?: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  return tried(() => once(endpoint, request, signal, timeoutMs), signal, LONGEST_WAIT_SECONDS);
}

async function once<T>(
  endpoint: SpeechEndpoint,
  { path, model, headers, body, mostBytes, read }: EndpointRequest<T>,
  signal: AbortSignal | undefined,
  timeoutMs: number,
): Promise<Outcome<T>> {
  const { url, key, post } = endpoint;
  const timeout = AbortSignal.timeout(timeoutMs);
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  let answer: PostAnswer;
  try {
    answer = await post({
      ...{ url: url + path, headers: { ...headers, ...authorization }, body, mostBytes },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (cause) {
    signal?.throwIfAborted();
    const again = cause instanceof NotSent && !(cause instanceof CertificateRefused);
    return { failure: notAnswered(endpoint, cause, timeout.aborted), again };
  }
  const { status, retryAfter } = answer;
  if (status >= 200 && status < 300) {
    try {
      return { value: read(answer.body) };
    } catch (cause) {
      const detail = `${titleOf(endpoint)} did not send a valid response to ${path}.`;
      return { failure: new TaskFailure('engine_failed', detail, { cause }), again: false };
    }
  }
  const again = status === 429 || (status === 503 && retryAfter !== undefined);
  return { failure: refusal(endpoint, { status, retryAfter, path, model, bytes: body.length }), again };
}

const titleOf = ({ whose }: SpeechEndpoint) =>
  whose === 'caller' ? 'Your speech API' : 'The speech API of this service';

/** Advice for the caller, who can change only an API of their own. */
const adviceTo = ({ whose }: SpeechEndpoint, advice: string) =>
  whose === 'caller' ? advice : 'Choose another engine.';

const lowered = (title: string) => title.charAt(0).toLowerCase() + title.slice(1);

function notAnswered(endpoint: SpeechEndpoint, cause: unknown, late: boolean): TaskFailure {
  const title = titleOf(endpoint);
  if (cause instanceof AddressRefused) {
    return new TaskFailure(
      'engine_unavailable',
      `The URL in X-Speech-Api-Url is not allowed. ${cause.message} Give the https:// URL of a public host.`,
    );
  }
  if (cause instanceof CertificateRefused) {
    const advice = adviceTo(
      endpoint,
      'Give its server a certificate of a public authority for the host of the URL.',
    );
    return new TaskFailure(
      'engine_unavailable',
      `The TLS certificate of ${lowered(title)} is not valid. ${advice}`,
      {
        cause,
      },
    );
  }
  if (cause instanceof NotSent) {
    const advice = adviceTo(
      endpoint,
      'Check that the URL in X-Speech-Api-Url opens from the public internet.',
    );
    return new TaskFailure('engine_unavailable', `${title} could not be reached. ${advice}`, { cause });
  }
  const detail = late ? `${title} took too long to respond.` : `${title} did not send a complete response.`;
  return new TaskFailure('engine_failed', detail, { cause });
}

interface Refused {
  status: number;
  retryAfter: number | undefined;
  path: string;
  model: string;
  bytes: number;
}

function refusal(endpoint: SpeechEndpoint, { status, retryAfter, path, model, bytes }: Refused): TaskFailure {
  const title = titleOf(endpoint);
  const own = endpoint.whose === 'caller';
  if (status === 401 || status === 403) {
    if (!own)
      return new TaskFailure(
        'engine_unavailable',
        `${title} refuses requests (status ${status}). Choose another engine.`,
      );
    const what = endpoint.key === null ? 'needs a key in X-Speech-Api-Key' : 'rejected your key';
    return new TaskFailure(
      'provider_rejected_key',
      `${title} ${what} (status ${status}). Check that the key is valid and may use the model \`${model}\`.`,
    );
  }
  if (status >= 300 && status < 400) {
    const advice = adviceTo(endpoint, 'Redirects are not followed; give its final URL in X-Speech-Api-Url.');
    return new TaskFailure('engine_unavailable', `${title} redirects (status ${status}). ${advice}`);
  }
  if (status === 404 || status === 405) {
    const advice = adviceTo(endpoint, 'Check X-Speech-Api-Url and X-Speech-Api-Model.');
    const what = `has no ${path}, or no model \`${model}\``;
    return new TaskFailure('engine_unavailable', `${title} ${what} (status ${status}). ${advice}`);
  }
  if (status === 413) {
    const kilobytes = Math.ceil(bytes / 1000);
    const detail = `${title} does not accept a request of ${kilobytes} kB (status 413). ${adviceTo(endpoint, 'Let it accept 1 MB or more.')}`;
    return new TaskFailure('engine_unavailable', detail);
  }
  if (status === 400 || status === 415 || status === 422) {
    const advice = adviceTo(endpoint, 'Check the model in X-Speech-Api-Model, the voice and the language.');
    return new RequestRefused(
      'engine_unavailable',
      `${title} refuses the request (status ${status}). ${advice}`,
    );
  }
  if (status === 429) {
    const limits = `${title} limits your requests (status 429). Try again later.`;
    return new TaskFailure('engine_failed', limits, { retryAfter, retryable: true });
  }
  return new TaskFailure('engine_failed', `${title} returned an error (status ${status}).`, { retryAfter });
}
