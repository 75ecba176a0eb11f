import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.mjs';

/** @typedef {import('./paths.mjs').Instance} Instance */

/** @param {(string | Buffer)[]} parts */
export function fingerprint(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/**
 * Runs a set-up step unless it already ran for the same input. The record is stored with the state it describes, so that both
 * are deleted together.
 * @param {Instance} instance
 * @param {string} name
 * @param {() => string} input A fingerprint of everything the step depends on, and of what it makes.
 * @param {() => Promise<unknown>} work
 */
export async function once(instance, name, input, work) {
  const file = join(instance.state, 'prepared.json');
  if (readJson(file)?.[name] === input()) return;
  await work();
  writeJson(file, { ...readJson(file), [name]: input() });
}
