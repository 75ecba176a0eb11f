import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The pinned Node; exists once the dependencies are installed. */
export const pinnedNode = join(root, 'node_modules/.bin/node');

export const devVarsFile = join(root, '.dev.vars');

/**
 * Where everything lies that one local service makes.
 * @typedef {object} Instance
 * @property {string} dir
 * @property {string} state What wrangler keeps: D1, R2, queues, Durable Objects.
 * @property {string} logs
 * @property {string} work Directories of running tasks.
 * @property {string} sample
 * @property {string} keysFile The keys of the seeded accounts.
 * @property {string} devFile Address and keys, for tools; there while the service is ready.
 * @property {string} lockFile Id and start time of the process that uses this directory.
 */

/**
 * @param {string} dir
 * @returns {Instance}
 */
export function instanceAt(dir) {
  return {
    dir,
    state: join(dir, 'state'),
    logs: join(dir, 'logs'),
    work: join(dir, 'work'),
    sample: join(dir, 'sample.mp4'),
    keysFile: join(dir, 'keys.json'),
    devFile: join(dir, 'dev.json'),
    lockFile: join(dir, 'service.pid'),
  };
}

/** `.spool` in the project, or the directory in SPOOL_DIR. */
export const home = resolve(root, process.env.SPOOL_DIR || '.spool');
