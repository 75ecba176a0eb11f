import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '../model/retry-pause.ts';

interface Patience {
  /** How long after the first failure `work` is retried. */
  seconds: number;
  /** Whether the same work may succeed later. */
  mayPass: (error: unknown) => boolean;
  signal: AbortSignal;
}

const LONGEST_PAUSE_MS = 10_000;

/** Retries idempotent work through an outage. Throws its last failure, or the reason of the signal. */
export async function outlast<T>({ seconds, mayPass, signal }: Patience, work: () => Promise<T>): Promise<T> {
  let began: number | undefined;
  for (let failed = 1; ; failed++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      began ??= performance.now();
      const pause = Math.min(pauseAfter(failed), LONGEST_PAUSE_MS);
      const waited = performance.now() - began + pause;
      if (!mayPass(error) || waited > seconds * 1000) throw error;
      await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
