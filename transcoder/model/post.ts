/** One POST to a provider. Redirects are not followed. */
export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
  /** Longest response, in bytes. */
  mostBytes: number;
  signal: AbortSignal;
}

export interface PostAnswer {
  status: number;
  /** Seconds of `Retry-After`. */
  retryAfter: number | undefined;
  body: Buffer;
}

/** Sends a POST and reads the whole response. Throws AddressRefused, NotSent, any other error, or the reason of `signal`. */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

/** The address guard does not allow the URL; the message says why. */
export class AddressRefused extends Error {}

/** The connection failed before any byte of the request was sent. */
export class NotSent extends Error {}

/** It failed because the server's certificate is not valid, which another try does not change. */
export class CertificateRefused extends NotSent {}

/** OpenSSL's and Node's codes for certificates: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const OF_CERTIFICATES = /CERT|^UNABLE_TO_|^CRL_|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$/;

/** @param cause The error that ended the connection before anything was sent. */
export function notSent(cause: unknown): NotSent {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  return OF_CERTIFICATES.test(code)
    ? new CertificateRefused('the certificate is not valid', { cause })
    : new NotSent('not connected', { cause });
}
