import { Ended } from './children.mjs';

const NAMED_FILES = 3;

/**
 * @typedef {object} Running
 * @property {Promise<never>} ended Rejects with `Ended` when the program ends.
 * @property {() => void} stop
 *
 * @typedef {object} Restarts
 * @property {string} name
 * @property {Running} running
 * @property {() => Running} start
 * @property {() => Promise<unknown>} ready Resolves when the program answers.
 * @property {() => Promise<string[]>} nextChange Files that have changed; waits until there are any.
 * @property {(text: string) => void} say
 */

/**
 * Restarts one part of the service when its files change. If it ends by itself, for example because of a mistake in a file, it
 * stays down until the next change.
 * @param {Restarts} restarts
 * @returns {Promise<never>} Rejects when the program cannot be started at all.
 */
export async function restartOnChange({ name, running, start, ready, nextChange, say }) {
  let current = running;
  for (;;) {
    const ended = current.ended.catch((/** @type {unknown} */ reason) => reason);
    const change = nextChange();
    const first = await Promise.race([ended, change]);
    if (!Array.isArray(first)) {
      if (!(first instanceof Ended)) throw first;
      say(`${first.message}\n\nThe ${name} ended with ${first.how}. It starts again when a file changes.`);
    }
    const files = await change;
    say(`Changed: ${listText(files)}. Restarting the ${name}…`);
    current.stop();
    await ended;
    current = start();
    await Promise.race([ready(), current.ended]).then(
      () => say(`The ${name} is running again.`),
      () => {
        // The next iteration reports a program that has ended.
      },
    );
  }
}

/** @param {readonly string[]} files */
function listText(files) {
  const more = files.length - NAMED_FILES;
  return more > 0 ? `${files.slice(0, NAMED_FILES).join(', ')} and ${more} more` : files.join(', ');
}
