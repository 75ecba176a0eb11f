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

/** The record is stored with the state it describes, so that both are deleted together. @param {Instance} instance */
const fileOf = (instance) => join(instance.state, 'prepared.json');

/**
 * Whether a part of the state was made from the same input.
 * @param {Instance} instance
 * @param {string} name
 * @param {string} input A fingerprint of everything that the part depends on.
 */
export const isPrepared = (instance, name, input) => readJson(fileOf(instance))?.[name] === input;

/**
 * Notes what a part of the state was made from.
 * @param {Instance} instance
 * @param {string} name
 * @param {string} input
 */
export function notePrepared(instance, name, input) {
  writeJson(fileOf(instance), { ...readJson(fileOf(instance)), [name]: input });
}
