import { Children } from './children.mjs';
import { Advice } from './steps.mjs';

/**
 * @typedef {object} Session
 * @property {Children} children
 * @property {(release: () => unknown) => void} onEnd What else to undo at the end; the last is undone first.
 */

/**
 * Runs a script's work and stops everything it started, however it ends: by itself, by an error, or by Ctrl-C, SIGTERM or
 * SIGHUP. A third signal kills at once.
 * @param {(session: Session) => Promise<number | void>} work Returns the exit code; 0 if it returns none.
 */
export async function session(work) {
  const children = new Children();
  const hurry = new AbortController();
  /** @type {(() => unknown)[]} */
  const releases = [];
  /** @type {(signal: NodeJS.Signals) => void} */
  let stop = () => {};
  /** @type {Promise<NodeJS.Signals>} */
  const asked = new Promise((resolve) => {
    stop = resolve;
  });
  let signals = 0;
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      signals += 1;
      // Ctrl-C in a terminal arrives twice: directly and passed on by npm.
      if (signals > 2) hurry.abort();
      stop(name);
    });
  }
  // If npm is killed outright, it cannot pass on a signal.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => {
      if (process.ppid !== parent) stop('SIGHUP');
    }, 1000).unref();
  }
  // The terminal, or the program that reads the output, may be gone by now.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stop('SIGHUP'));

  let exitCode = 0;
  try {
    const worked = work({ children, onEnd: (release) => releases.unshift(release) });
    const outcome = await Promise.race([worked, asked]);
    if (typeof outcome === 'string') console.log(`\n${outcome}: stopping…`);
    else exitCode = outcome ?? 0;
  } catch (error) {
    exitCode = 1;
    console.error(`\n${error instanceof Advice ? error.message : describe(error)}`);
  }
  await children.stopAll(hurry.signal);
  for (const release of releases) await release();
  process.exit(exitCode);
}

/** @param {unknown} error */
function describe(error) {
  return error instanceof Error ? error.message : String(error);
}
