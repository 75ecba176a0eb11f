import { Worker } from 'node:worker_threads';

export interface Watch {
  /** One counter, which the event loop raises. */
  beats: SharedArrayBuffer;
  /** How often the thread looks at it, in milliseconds. */
  everyMs: number;
  /** Looks in a row that find it unchanged, after which the process ends. */
  patience: number;
  /** Fields of the line that is logged then. */
  log: Record<string, unknown>;
}

const EVERY_MS = 500;
const STANDS_MS = 10_000;

/**
 * Ends the process if its event loop stands still for ten seconds: heartbeats, time limits and SIGTERM all wait for the loop. A
 * thread counts its own looks at a counter that the loop raises. Time in which the whole process was frozen (SIGSTOP, a machine
 * that slept) has no looks, so it does not count.
 * @param log Fields of the line that it logs before.
 */
export function watchEventLoop(log: Record<string, unknown>, standsMs = STANDS_MS): void {
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), EVERY_MS / 2).unref();
  const workerData: Watch = { beats, everyMs: EVERY_MS, patience: Math.ceil(standsMs / EVERY_MS), log };
  new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData, env: {} }).unref();
}
