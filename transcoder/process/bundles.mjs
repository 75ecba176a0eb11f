import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The transcoder, and its modules that start as processes or threads, are bundled into one file each by scripts/bundles.ts. They then
 * start in a third of the time, because Node does not have to find and load some 250 files, and a process takes 15 to 30 MB less,
 * because it does not load what strips types. This file is JavaScript for the same reason.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** In node_modules, which sandboxes see and which is never committed. */
export const bundleDirectory = join(root, 'node_modules/.cache/transcoder');
export const bundleRecord = join(bundleDirectory, 'bundles.json');

/**
 * @typedef {object} Bundle
 * @property {string} file In the directory of the bundles.
 * @property {string[]} inputs What it was made of, from the root.
 * @property {string} digest Of the inputs.
 */

/** @typedef {Record<string, Bundle>} BundleRecord By the path of the module from the root. */

/** @type {BundleRecord | undefined} */
let known;
/** @type {Map<string, string>} */
const found = new Map();

/**
 * The bundle of a module that is about to start, or the module itself if there is no bundle of its present sources.
 * @param {string} path
 * @returns {string}
 */
export function bundled(path) {
  const cached = found.get(path);
  if (cached !== undefined) return cached;
  known ??= readRecord();
  const made = known[relative(root, path)];
  const file = made === undefined ? path : join(bundleDirectory, made.file);
  const start = made !== undefined && existsSync(file) && made.digest === digestOf(made.inputs) ? file : path;
  found.set(path, start);
  return start;
}

/**
 * A digest of files with their names; null if one of them cannot be read.
 * @param {readonly string[]} inputs
 * @returns {string | null}
 */
export function digestOf(inputs) {
  const hash = createHash('sha256');
  try {
    for (const input of inputs)
      hash
        .update(`${input}\0`)
        .update(readFileSync(join(root, input)))
        .update('\0');
  } catch {
    return null;
  }
  return hash.digest('hex');
}

/** @returns {BundleRecord} */
function readRecord() {
  try {
    return JSON.parse(readFileSync(bundleRecord, 'utf8'));
  } catch {
    return {};
  }
}
