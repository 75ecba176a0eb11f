import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { processTable } from './process-table.mjs';
import { Advice } from './steps.mjs';

/** @typedef {import('./paths.mjs').Instance} Instance */

/**
 * Locks an instance's directory for this process: two services on one state would corrupt it.
 * @param {Instance} instance
 * @returns {() => void} Releases the lock.
 */
export function lock(instance) {
  mkdirSync(instance.dir, { recursive: true, mode: 0o700 });
  const holder = holderOf(instance.lockFile);
  if (holder !== null) {
    throw new Advice(
      `A service already runs from ${instance.dir} (process ${holder}). Stop it, or give this one a directory of its own: SPOOL_DIR=.spool-2 PORT=8797 npm start`,
    );
  }
  writeFileSync(instance.lockFile, `${process.pid}\n`);
  return () => rmSync(instance.lockFile, { force: true });
}

/** @param {string} file */
function holderOf(file) {
  const pid = Number(readIfThere(file));
  return pid !== process.pid && processTable().some((entry) => entry.pid === pid) ? pid : null;
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return '';
    throw error;
  }
}
