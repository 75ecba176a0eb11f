import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter, TRIES } from '../../../model/retry-pause.ts';
import type { TaskFailure } from '../../../model/task-failure.ts';

/** Every POST may be billed, so a request is retried only if it was refused or never arrived. */
export type Outcome<T> = { value: T } | { failure: TaskFailure; again: boolean };

/** Repeats a request while that is safe. Throws the last failure, or the reason of `signal`. */
export async function tried<T>(
  once: () => Promise<Outcome<T>>,
  signal: AbortSignal | undefined,
  /** Longest wait that a provider may ask for, in seconds. */
  longest = 0,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const outcome = await once();
    if ('value' in outcome) return outcome.value;
    if (!outcome.again || tries === TRIES) throw outcome.failure;
    const { retryAfter } = outcome.failure;
    const asked = Math.min(retryAfter ?? 0, longest) * 1000;
    const pause = Math.max(asked, pauseAfter(tries, retryAfter));
    await sleep(pause, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
  }
}
