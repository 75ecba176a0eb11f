import { CertificateRefused, notSent, type Post } from '../../../model/post.ts';
import { parseRetryAfter } from '../../../model/retry-pause.ts';

/** Errors of undici's fetch raised before any byte of the request was sent. */
const NOT_CONNECTED = [
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['EAI_AGAIN', 'ENOTFOUND', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'],
];

export function neverArrived(error: unknown): boolean {
  const { code = '' } = (causeOf(error) ?? {}) as NodeJS.ErrnoException;
  return NOT_CONNECTED.includes(code) || notSent(causeOf(error)) instanceof CertificateRefused;
}

const causeOf = (error: unknown) => (error instanceof Error ? error.cause : undefined);

/** POSTs to a URL of the operator, which may be private. Never for a caller's URL. */
export const trustedPost: Post = async ({ url, headers, body, mostBytes, signal }) => {
  let response: Response;
  try {
    response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
  } catch (error) {
    if (neverArrived(error)) throw notSent(causeOf(error));
    throw error;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the response has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return {
    status: response.status,
    retryAfter: parseRetryAfter(response.headers.get('retry-after')),
    body: Buffer.concat(chunks),
  };
};
