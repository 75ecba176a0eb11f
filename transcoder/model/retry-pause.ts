/** How often a request that can be repeated is sent before its failure counts. */
export const TRIES = 3;

const FIRST_PAUSE_MS = 300;
const GROWTH = 3;
/** Share of a pause that is random, so that requests that failed together do not come back together. */
const JITTER = 0.5;
/** A `Retry-After` is heeded up to this many seconds. */
const LONGEST_RETRY_AFTER = 7;

/**
 * Milliseconds to wait before the next try.
 * @param failed Tries that have failed so far, at least 1.
 * @param retryAfter Seconds that the other side asked for, if it did.
 */
export function pauseAfter(failed: number, retryAfter?: number): number {
  const own = FIRST_PAUSE_MS * GROWTH ** (failed - 1) * (1 + JITTER * (Math.random() - 0.5) * 2);
  const asked = Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER) * 1000 * (1 + 0.1 * Math.random());
  return Math.max(own, asked);
}

/** Seconds that a `Retry-After` header asks for, from delta-seconds or an HTTP date (RFC 9110, 10.2.3). */
export function parseRetryAfter(header: string | null | undefined, now = Date.now()): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Date.parse takes more than HTTP dates do, such as "-1" and "2.5".
  const at = /^[A-Z][a-z]{2,8}, .{1,40}$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000);
}
