import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bundled } from '../../process/bundles.mjs';
import type { WatchAnswer, WatchMessage, WatchOrder } from './watch-thread.ts';
import type { Watched } from './watcher.ts';

const MEMORY_MB = 512;
const THREAD = fileURLToPath(new URL('watch-thread.ts', import.meta.url));

/** A thread that looks at frames, to keep the event loop free for other tasks. */
export class Watching {
  readonly #thread: Worker;
  readonly #size: number;
  #waiting: { resolve: (answer: WatchAnswer) => void; reject: (error: unknown) => void } | null = null;
  #failed: { error: unknown } | null = null;
  #pushed: Promise<void> = Promise.resolve();
  /** The beginning of a frame whose rest has not arrived. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(order: WatchOrder) {
    this.#size = order.width * order.height * 3;
    this.#thread = new Worker(bundled(THREAD), {
      workerData: order,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    this.#thread.on('message', (answer: WatchAnswer) => {
      this.#waiting?.resolve(answer);
      this.#waiting = null;
    });
    const fail = (error: unknown) => {
      this.#failed ??= { error };
      this.#waiting?.reject(error);
      this.#waiting = null;
    };
    this.#thread.once('error', fail);
    this.#thread.once('exit', (code) => fail(new Error(`the watching thread exited with code ${code}`)));
  }

  /** Hands over a part of the raw RGB frames, after all earlier ones; fulfilled once the thread wants more. */
  push(chunk: Buffer): Promise<void> {
    this.#pushed = this.#pushed.then(() => this.#hand(chunk));
    return this.#pushed;
  }

  async #hand(chunk: Buffer): Promise<void> {
    const all = Buffer.concat([this.#rest, chunk]);
    const whole = all.length - (all.length % this.#size);
    this.#rest = all.subarray(whole);
    if (whole > 0) await this.#ask(Uint8Array.from(all.subarray(0, whole)));
  }

  async end(): Promise<Watched> {
    await this.#pushed;
    const answer = await this.#ask(null);
    if (answer === 'next') throw new Error('the watching thread did not end');
    return answer;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #ask(message: WatchMessage): Promise<WatchAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#failed) return reject(this.#failed.error);
      this.#waiting = { resolve, reject };
      this.#thread.postMessage(message, message ? [message.buffer as ArrayBuffer] : []);
    });
  }
}
