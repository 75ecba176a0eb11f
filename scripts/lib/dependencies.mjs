import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readJson, writeJson } from './json-file.mjs';
import { pinnedNode, root } from './paths.mjs';
import { fingerprint } from './stamps.mjs';
import { Advice, step } from './steps.mjs';

/**
 * @typedef {import('./children.mjs').Children} Children
 *
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 */

export const OLDEST_NODE = 18;
/** Where NODE_ENV is production, npm leaves out what the service is built and run with, such as wrangler. */
export const CI = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];

const tools = join(root, '.spool/tools');
/** What the last successful set-up installed. */
const installedFile = join(root, 'node_modules/.spool-installed.json');

/** @type {string} */
export const pinnedVersion = readJson(join(root, 'package.json')).dependencies.node;

/**
 * Installs the locked dependencies if necessary, with the Node version pinned among them.
 * @param {Children} children
 */
export async function installDependencies(children) {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new Advice(`Node ${OLDEST_NODE} or newer is required; this is ${process.version}.`);
  }
  if (!lockIsMet()) {
    await step('dependencies (npm ci)', () => npm(children, CI));
    // npm leaves out optional packages that require a newer Node than the one it runs on; retry with the pinned one.
    if (pinnedNodeRuns() && !lockIsMet()) {
      mkdirSync(tools, { recursive: true });
      copyFileSync(pinnedNode, join(tools, 'node'));
      await step(`dependencies (npm ci on Node ${pinnedVersion})`, () => npm(children, CI, tools));
    }
  }
  if (!pinnedNodeRuns()) {
    // If npm is configured not to run install scripts, these three must be named explicitly.
    const scripts = ['rebuild', '--ignore-scripts=false', 'node', 'workerd', 'esbuild'];
    await step('programs of the dependencies (npm rebuild)', () => npm(children, scripts));
  }
  if (!pinnedNodeRuns()) {
    throw new Advice(`The pinned Node does not run here: try ${pinnedNode} --version`);
  }
  const locked = lockedPackages();
  if (leftOut(locked, installedPackages()).every((path) => isOptional(locked[path])))
    writeJson(installedFile, lockFingerprint());
}

/**
 * @param {Children} children
 * @param {readonly string[]} args
 * @param {string} [nodeFolder] Folder of the Node that runs npm, if not the one in PATH.
 */
function npm(children, args, nodeFolder) {
  // The Node inside node_modules must not run npm while npm replaces it.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => entry !== join(root, 'node_modules/.bin'));
  if (nodeFolder) path.unshift(nodeFolder);
  // Skip the downloads of install scripts: node-av's ffmpeg and onnxruntime-node's CUDA libraries are not needed.
  const skip = { SKIP_FFMPEG: 'true', ONNXRUNTIME_NODE_INSTALL: 'skip' };
  const env = { ...process.env, ...skip, PATH: path.join(delimiter) };
  return children.run('npm', args, { env });
}

function lockFingerprint() {
  return fingerprint(readFileSync(join(root, 'package-lock.json')));
}

/** Whether node_modules holds what the lockfile names for this machine, except what the last set-up could not install. */
function lockIsMet() {
  const locked = lockedPackages();
  const left = leftOut(locked, installedPackages());
  if (left.length === 0) return true;
  return left.every((path) => isOptional(locked[path])) && readJson(installedFile) === lockFingerprint();
}

/**
 * The paths of locked packages that this machine needs and that are not installed, or in another version.
 * @param {Record<string, LockEntry>} locked
 * @param {Record<string, LockEntry>} installed
 */
export function leftOut(locked, installed) {
  return Object.entries(locked).flatMap(([path, entry]) => {
    if (path === '') return [];
    const found = installed[path];
    if (found) return found.version === entry.version ? [] : [path];
    return isOptional(entry) && !(entry.os && entry.cpu && isForThisMachine(entry)) ? [] : [path];
  });
}

/** @param {LockEntry | undefined} entry */
const isOptional = (entry) => entry?.optional === true || entry?.devOptional === true;

/** @param {LockEntry} entry */
function isForThisMachine({ os = [], cpu = [], libc }) {
  if (!os.includes(process.platform) || !cpu.includes(process.arch)) return false;
  return process.platform !== 'linux' || libc === undefined || libc.includes(thisLibc());
}

function thisLibc() {
  /** @type {any} */
  const report = process.report?.getReport();
  return report?.header?.glibcVersionRuntime ? 'glibc' : 'musl';
}

const lockedPackages = () => packagesOf(join(root, 'package-lock.json'));
const installedPackages = () => packagesOf(join(root, 'node_modules/.package-lock.json'));

/**
 * @param {string} file
 * @returns {Record<string, LockEntry>}
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
