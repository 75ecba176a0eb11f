/** Attempts at a repeatable request before its failure counts. */
export const TRIES = 3;

const FIRST_PAUSE_MS = 300;
const GROWTH = 3;
/** Random share of a pause, which spreads out requests that failed together. */
const JITTER = 0.5;
/** Upper limit for a `Retry-After`, in seconds. */
const LONGEST_RETRY_AFTER = 7;

/**
 * Milliseconds to wait before the next try.
 * @param failed Failed tries so far, at least 1.
 * @param retryAfter Seconds that the server asked for, if it did.
 */
export function pauseAfter(failed: number, retryAfter?: number): number {
  const own = FIRST_PAUSE_MS * GROWTH ** (failed - 1) * (1 + JITTER * (Math.random() - 0.5) * 2);
  const asked = Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER) * 1000 * (1 + 0.1 * Math.random());
  return Math.max(own, asked);
}

/** Seconds of a `Retry-After` header, from delta-seconds or an HTTP date (RFC 9110, 10.2.3). */
export function parseRetryAfter(header: string | null | undefined, now = Date.now()): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Date.parse accepts more than HTTP dates, such as "-1" and "2.5".
  const at = /^[A-Z][a-z]{2,8}, .{1,40}$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000);
}
