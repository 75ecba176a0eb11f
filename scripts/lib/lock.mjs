import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { processTable, startOf } from './process-table.mjs';
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
      `A service already runs from ${instance.dir} (process ${holder} in ${instance.lockFile}). Stop it, or give this one a directory of its own: SPOOL_DIR=.spool-2 PORT=8797 npm start`,
    );
  }
  writeFileSync(instance.lockFile, `${process.pid} ${startOf(process.pid)}\n`);
  return () => rmSync(instance.lockFile, { force: true });
}

/**
 * The process that has the lock, unless it has ended: another process may have its id by now, but not its start time.
 * @param {string} file
 */
function holderOf(file) {
  const [, id = '', start = ''] = /^(\d+) ?(.*)/.exec(readIfThere(file)) ?? [];
  const pid = Number(id);
  const runs = pid !== process.pid && processTable().some((entry) => entry.pid === pid);
  // Earlier releases recorded no start time.
  return runs && (start === '' || start === startOf(pid)) ? pid : null;
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
