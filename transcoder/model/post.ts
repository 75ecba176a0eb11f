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
