import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bundled } from './bundles.mjs';

export interface Watch {
  /** One counter, incremented by the event loop. */
  beats: SharedArrayBuffer;
  /** How often the thread checks the counter, in milliseconds. */
  everyMs: number;
  /** Consecutive checks without a change before the process is killed. */
  patience: number;
  /** Fields of the log line written before that. */
  log: Record<string, unknown>;
}

const EVERY_MS = 500;
const BLOCKED_MS = 10_000;
const THREAD = fileURLToPath(new URL('watchdog-thread.ts', import.meta.url));

/**
 * Kills the process if its event loop is blocked for ten seconds, because heartbeats, time limits and SIGTERM all
 * depend on it. A thread checks a counter that the loop increments. It counts checks rather than time, so a pause of
 * the whole process (SIGSTOP, a sleeping machine) does not count.
 * @param log Fields of the line logged before the process is killed.
 */
export function watchEventLoop(log: Record<string, unknown>, blockedMs = BLOCKED_MS): void {
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), EVERY_MS / 2).unref();
  const workerData: Watch = { beats, everyMs: EVERY_MS, patience: Math.ceil(blockedMs / EVERY_MS), log };
  new Worker(bundled(THREAD), { workerData, env: {} }).unref();
}
