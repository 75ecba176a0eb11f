import { LIMIT_WINDOW_SECONDS } from '../../schema/api/request-limits.ts';

const WINDOW_MS = LIMIT_WINDOW_SECONDS * 1000;
/** Below this share of the limit, the shared limiter is not asked. */
const QUIET_SHARE = 0.2;
/**
 * More keys than this in one window indicate an attack from many addresses; limiting memory is then more important than their
 * counts.
 */
const MAX_KEYS = 50_000;

/**
 * Counts requests in this isolate, in windows of ten seconds. Normal traffic is allowed based on this count alone. The shared
 * limiter is asked only after this isolate has seen a fifth of the limit, because asking costs as much as the request. Above
 * the limit, or once the shared limiter has refused, this count refuses without asking.
 */
export class RequestWindow {
  private window = 0;
  private counts = new Map<string, number>();

  count(key: string, limit: number, now: number): 'allow' | 'ask' | 'refuse' {
    const count = this.countOf(key, now) + 1;
    if (count === 1 && this.counts.size >= MAX_KEYS) this.counts = new Map();
    this.counts.set(key, count);
    if (count > limit) return 'refuse';
    return count > limit * QUIET_SHARE ? 'ask' : 'allow';
  }

  /** Refuses this key until the end of the window. */
  close(key: string, limit: number, now: number): void {
    this.counts.set(key, Math.max(limit, this.countOf(key, now)));
  }

  countOf(key: string, now: number): number {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.window) {
      this.window = window;
      this.counts = new Map();
    }
    return this.counts.get(key) ?? 0;
  }
}

/** Seconds until the current window ends, at least one. */
export function secondsLeft(now: number): number {
  return Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1000);
}
