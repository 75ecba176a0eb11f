import { setTimeout as sleep } from 'node:timers/promises';
import { Ended } from './children.mjs';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
/** A program that ran for this long did not fail at start. */
const STEADY_MS = 30_000;
const QUICK_DEATHS = 5;

/**
 * @typedef {object} Restarts
 * @property {string} name
 * @property {Promise<never>} ended Rejects with `Ended` when the program that runs now ends.
 * @property {() => Promise<never>} start Starts it again.
 * @property {() => Promise<unknown>} ready Resolves when it answers.
 * @property {(text: string) => void} say
 * @property {() => number} [now] Milliseconds.
 * @property {(ms: number) => Promise<unknown>} [pause]
 */

/**
 * Restarts one part of the service whenever it ends, without affecting the others.
 * @param {Restarts} restarts
 * @returns {Promise<never>} Rejects with its log if it keeps ending shortly after its start.
 */
export async function keepRunning({ name, ended, start, ready, say, now = Date.now, pause = sleep }) {
  let running = ended;
  let startedAt = now();
  let quickDeaths = 0;
  for (;;) {
    const error = await running.catch((/** @type {unknown} */ reason) => reason);
    if (!(error instanceof Ended)) throw error;
    quickDeaths = now() - startedAt < STEADY_MS ? quickDeaths + 1 : 1;
    if (quickDeaths > QUICK_DEATHS) {
      throw new Error(
        `The ${name} ended ${quickDeaths} times in a row, each time soon after its start.\n${error.message}`,
      );
    }
    const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (quickDeaths - 1));
    say(`The ${name} ended with ${error.how}. Starting it again in ${wait / 1000} s.`);
    await pause(wait);
    startedAt = now();
    running = start();
    await Promise.race([ready(), running]).then(
      () => say(`The ${name} is running again.`),
      () => {
        // If it ended, the next iteration handles it. If it is not ready yet, its log shows why.
      },
    );
  }
}
