import { setTimeout as sleep } from 'node:timers/promises';
import { errorEntry } from '../../schema/api/errors.ts';
import { pauseAfter } from '../model/retry-pause.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { everyWhile } from './running-time.ts';

/** Their pauses add up to 3 to 10 seconds, which lets a read survive the restart of an origin. */
const TRIES = 5;
/** Pauses grow up to this one. */
const LONGEST_PAUSE = 3;
/** A read without progress for this many milliseconds is not retried. */
const PATIENCE = 20_000;
/** Bytes that count as progress: one second at the slowest allowed pace. */
const PROGRESS = 64 * 1024;
const LOOK_MS = 250;

/**
 * Reads until `work` succeeds. Reads are idempotent, so temporary failures are retried. Progress resets both the number
 * of tries and the time limit, so a large file may fail many times on its way. Bytes that arrive again, from an origin that starts
 * over with each try, reset the time limit alone.
 * @param signal Ends the whole read.
 * @param work One try; `repeated` after a failure.
 */
export async function withRetries(
  signal: AbortSignal,
  work: (tries: Tries, repeated: boolean) => Promise<void>,
): Promise<void> {
  const tries = new Tries(signal);
  try {
    for (let repeated = false; ; repeated = true) {
      try {
        return await work(tries, repeated);
      } catch (error) {
        await tries.next(error);
      }
    }
  } finally {
    tries.end();
  }
}

/** The tries of one read. */
class Tries {
  readonly #signal: AbortSignal;
  readonly #stop: () => void;
  #late = new AbortController();
  #failed = 0;
  #failure: unknown;
  /** New bytes since the last progress. */
  #brought = 0;
  /** Running time of this process in milliseconds: now, and at the last progress. */
  #now = 0;
  #since = 0;
  /** Bytes of this try that had arrived before. */
  #again = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.#stop = everyWhile(LOOK_MS, (running) => {
      this.#now = running;
      // The first try has its own timeouts; later tries share what is left of the patience.
      if (this.#failed > 0 && running - this.#since > PATIENCE) this.#late.abort(this.#failure);
    });
  }

  /** Aborts the current try when the patience is over; its reason is the previous failure. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.#signal, this.#late.signal]);
  }

  /** Counts new bytes. */
  brought(bytes: number): void {
    this.#brought += bytes;
    if (this.#brought < PROGRESS) return;
    this.#brought = 0;
    // Otherwise an origin could send a file as often as it has bytes.
    if (this.#again < PROGRESS) this.#failed = 0;
    this.#since = this.#now;
  }

  /** Counts bytes that had arrived before. */
  repeated(bytes: number): void {
    this.#again += bytes;
    if (bytes > 0 && this.#again >= PROGRESS) this.#since = this.#now;
  }

  /** Waits until the next try. Throws the failure if it is permanent or no tries are left. */
  async next(error: unknown): Promise<void> {
    if (!mayPass(error)) throw error;
    if (this.#late.signal.aborted) throw counted(error, this.#failed + 1);
    this.#failed += 1;
    this.#again = 0;
    this.#failure = error;
    const pause = pauseAfter(Math.min(this.#failed, LONGEST_PAUSE), error.retryAfter);
    if (this.#failed >= TRIES || this.#now - this.#since + pause > PATIENCE)
      throw counted(error, this.#failed);
    try {
      await sleep(pause, undefined, { signal: this.#signal });
    } catch (cause) {
      this.#signal.throwIfAborted();
      throw cause;
    }
  }

  end(): void {
    this.#stop();
  }
}

/** Temporary failures on the side of the source. */
function mayPass(error: unknown): error is TaskFailure {
  if (!(error instanceof TaskFailure) || errorEntry(error.code).fault !== 'source') return false;
  return error.retryable ?? errorEntry(error.code).retryable;
}

function counted(error: TaskFailure, tries: number): TaskFailure {
  if (tries === 1) return error;
  const { code, message, retryable, cause } = error;
  return new TaskFailure(code, `${message.replace(/\.$/, '')} (${tries} tries).`, { retryable, cause });
}
