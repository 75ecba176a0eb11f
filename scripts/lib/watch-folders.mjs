import { readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

/** An editor or checkout writes several files at once; one report covers them all. */
const QUIET_MS = 200;
const SOURCE_FILE = /\.(ts|json)$/;

/**
 * @typedef {object} Changes
 * @property {() => Promise<string[]>} next Files that have changed since the last call; waits until there are any.
 * @property {() => void} close
 */

/**
 * Watches the source folders. Each folder gets its own watcher, because `recursive` is missing on Linux before Node 20.
 * @param {string} root Paths are reported relative to this.
 * @param {readonly string[]} folders
 * @returns {Changes}
 */
export function watchFolders(root, folders) {
  /** @type {Map<string, import('node:fs').FSWatcher>} */
  const watchers = new Map();
  /** @type {Set<string>} */
  const changed = new Set();
  /** @type {(() => void) | undefined} */
  let wake;
  /** @type {NodeJS.Timeout | undefined} */
  let quiet;

  /** @param {string} folder */
  const add = (folder) => {
    if (watchers.has(folder)) return;
    const watcher = watch(folder, (event, name) => {
      // A file was created, moved or deleted; it may be a new folder.
      if (event === 'rename') addBelow(folder);
      if (!name || !SOURCE_FILE.test(name)) return;
      changed.add(relative(root, join(folder, name)));
      clearTimeout(quiet);
      quiet = setTimeout(() => wake?.(), QUIET_MS);
    });
    const forget = () => {
      watcher.close();
      watchers.delete(folder);
    };
    watcher.on('error', forget);
    watchers.set(folder, watcher);
  };
  /** @param {string} folder */
  const addBelow = (folder) => {
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      add(folder);
      for (const entry of entries) if (entry.isDirectory()) addBelow(join(folder, entry.name));
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
      watchers.get(folder)?.close();
      watchers.delete(folder);
    }
  };
  for (const folder of folders) addBelow(join(root, folder));

  return {
    async next() {
      while (changed.size === 0) {
        await new Promise((resolve) => {
          wake = () => resolve(undefined);
        });
      }
      const files = [...changed].sort();
      changed.clear();
      return files;
    },
    close() {
      clearTimeout(quiet);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}
