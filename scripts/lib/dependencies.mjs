import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readJson } from './json-file.mjs';
import { pinnedNode, root } from './paths.mjs';
import { Advice, step } from './steps.mjs';

/** @typedef {import('./children.mjs').Children} Children */

const OLDEST_NODE = 18;

/** @type {string} */
export const pinnedVersion = readJson(join(root, 'package.json')).dependencies.node;

/**
 * Installs the locked dependencies unless they are there, with the Node pinned among them.
 * @param {Children} children
 */
export async function installDependencies(children) {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new Advice(`Node ${OLDEST_NODE} or newer is needed to begin with; this is ${process.version}.`);
  }
  if (!lockIsMet()) {
    await step('dependencies (npm ci)', () => npm(children, ['ci', '--no-audit', '--no-fund']));
  }
  if (!pinnedNodeRuns()) {
    // Where npm is told to run no install scripts, these three have to be named.
    const scripts = ['rebuild', '--ignore-scripts=false', 'node', 'workerd', 'esbuild'];
    await step('programs of the dependencies (npm rebuild)', () => npm(children, scripts));
  }
  if (!pinnedNodeRuns()) {
    throw new Advice(`The pinned Node does not run here: try ${pinnedNode} --version`);
  }
}

/**
 * @param {Children} children
 * @param {string[]} args
 */
function npm(children, args) {
  // The Node inside node_modules must not run npm while npm replaces it.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => entry !== join(root, 'node_modules/.bin'))
    .join(delimiter);
  return children.run('npm', args, { env: { ...process.env, PATH: path } });
}

/** Whether node_modules holds what the lockfile names. */
function lockIsMet() {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === entry.version : entry.optional === true || entry.devOptional === true;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, {version?: string, optional?: boolean, devOptional?: boolean}>}
 */
function packagesOf(file) {
  return readJson(file)?.packages ?? {};
}

function pinnedNodeRuns() {
  if (!existsSync(pinnedNode)) return false;
  try {
    const version = execFileSync(pinnedNode, ['--version'], { encoding: 'utf8' });
    return version.trim() === `v${pinnedVersion}`;
  } catch {
    return false;
  }
}
