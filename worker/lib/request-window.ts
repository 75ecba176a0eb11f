const WINDOW_MS = 10_000;
/** Below this share of its limit an account is not asked about elsewhere. */
const QUIET_SHARE = 0.2;

/**
 * Counts each account's polls in this isolate, in windows of ten seconds. An account that polls at a usual pace is let
 * through on this count alone; the shared limiter is asked only once this isolate alone has seen a fifth of the limit, since
 * asking it costs as much as the poll. Beyond the whole limit this count refuses by itself.
 */
export class PollWindow {
  private window = 0;
  private counts = new Map<string, number>();

  count(accountId: string, limit: number, now: number): 'allow' | 'ask' | 'refuse' {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.window) {
      this.window = window;
      this.counts = new Map();
    }
    const count = (this.counts.get(accountId) ?? 0) + 1;
    this.counts.set(accountId, count);
    if (count > limit) return 'refuse';
    return count > limit * QUIET_SHARE ? 'ask' : 'allow';
  }
}
