import { execFileSync, spawnSync } from 'node:child_process';
import { located } from '../../transcoder/ffmpeg/located.mjs';
import { isTooOld, OLDEST_FFMPEG, versionIn } from '../../transcoder/model/ffmpeg-version.mjs';
import { Advice, step } from './steps.mjs';

/**
 * @typedef {import('./children.mjs').Children} Children
 *
 * @typedef {object} Programs Absolute paths.
 * @property {string} ffmpeg
 * @property {string} ffprobe
 */

/** What isolates ffmpeg, and lists fonts. A machine that has ffmpeg may lack it. */
const HELPER_PACKAGES = ['bubblewrap', 'fontconfig', 'fonts-dejavu-core'];

const APT_PACKAGES = ['ffmpeg', ...HELPER_PACKAGES];

/** Packages of the embedded speech engines and the caption fonts. The service runs without them and reports what is missing. */
const ENGINE_PACKAGES = [
  ...HELPER_PACKAGES,
  ...['espeak-ng', 'flite', 'pocketsphinx', 'pocketsphinx-en-us', 'rubberband-cli'],
  ...['fonts-inter', 'fonts-lato', 'fonts-bebas-neue', 'fonts-noto-core', 'fonts-noto-cjk'],
];

const PURPOSE = 'for speech, voices, captions and isolation';

/** @returns {Programs} */
function namedPrograms() {
  const { FFMPEG, FFPROBE, PATH } = process.env;
  return { ffmpeg: located(FFMPEG || 'ffmpeg', PATH), ffprobe: located(FFPROBE || 'ffprobe', PATH) };
}

/**
 * Finds ffmpeg and ffprobe, and installs them if permissions allow.
 * @param {Children} children
 * @returns {Promise<Programs>}
 */
export async function findPrograms(children) {
  const before = namedPrograms();
  if (missing(before).length > 0) await install(children, before);
  const programs = namedPrograms();
  const left = missing(programs);
  if (left.length > 0) throw new Advice(`${left.join(' and ')} did not run. ${instruction()}`);
  for (const program of Object.values(programs)) assertNew(program);
  return programs;
}

/** @param {string} program */
function assertNew(program) {
  const version = versionIn(execFileSync(program, ['-version'], { encoding: 'utf8' }));
  if (!isTooOld(version)) return;
  throw new Advice(
    `${program} is version ${version}, and ${OLDEST_FFMPEG} or newer is needed. Install it, and name it in FFMPEG and FFPROBE if it is not the first in PATH.`,
  );
}

/**
 * Installs the packages of the engines if permissions allow; otherwise prints which are missing.
 * @param {Children} children
 */
export async function findEngines(children) {
  if (!runs('dpkg-query', '--version')) {
    const names = ['espeak-ng', 'flite', 'rubberband', 'pocketsphinx_batch', 'fc-list'];
    if (process.platform === 'linux') names.push('bwrap');
    const tools = names.filter((name) => !exists(name));
    if (tools.length > 0) console.log(`  · not installed, ${PURPOSE}: ${tools.join(', ')}`);
    return;
  }
  const wanted = ENGINE_PACKAGES.filter((name) => !isInstalled(name));
  if (wanted.length === 0) return;
  try {
    if (process.getuid?.() !== 0) throw new Error('not root');
    await step('engines of speech, fonts, isolation (apt-get)', () => aptInstall(children, wanted));
  } catch {
    console.log(`  · not installed, ${PURPOSE}: ${wanted.join(', ')}`);
    console.log(`    sudo apt-get install -y --no-install-recommends ${wanted.join(' ')}`);
  }
}

/**
 * @param {Children} children
 * @param {readonly string[]} packages
 */
async function aptInstall(children, packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  await children.run('apt-get', ['update', '-q'], { env });
  await children.run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env });
}

/** @param {string} name */
function isInstalled(name) {
  const { stdout } = spawnSync('dpkg-query', ['-s', name], { encoding: 'utf8' });
  return stdout.includes('Status: install ok installed');
}

/** @param {string} program */
function exists(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** @param {Programs} programs */
function missing(programs) {
  return Object.values(programs).filter((name) => !runs(name, '-version'));
}

/**
 * @param {Children} children
 * @param {Programs} programs
 */
async function install(children, programs) {
  if (process.env.FFMPEG || process.env.FFPROBE) {
    throw new Advice(`FFMPEG or FFPROBE names a program that does not run: ${missing(programs).join(', ')}`);
  }
  if (runs('apt-get', '--version') && process.getuid?.() === 0) {
    await step('ffmpeg (apt-get)', () => aptInstall(children, APT_PACKAGES));
  } else if (runs('brew', '--version')) {
    await step('ffmpeg (brew)', () => children.run('brew', ['install', '--quiet', 'ffmpeg']));
  } else {
    throw new Advice(`ffmpeg and ffprobe are needed. ${instruction()}`);
  }
}

function instruction() {
  if (process.platform === 'darwin') return 'Run: brew install ffmpeg';
  if (runs('apt-get', '--version')) {
    return `Run: sudo apt-get update && sudo apt-get install -y ${APT_PACKAGES.join(' ')}`;
  }
  return `Install ffmpeg ${OLDEST_FFMPEG} or newer with the package manager of your system.`;
}

/**
 * @param {string} program
 * @param {string} option
 */
function runs(program, option) {
  return spawnSync(program, [option], { stdio: 'ignore' }).status === 0;
}

/** @param {Programs} programs */
export function ffmpegVersion({ ffmpeg }) {
  const text = execFileSync(ffmpeg, ['-version'], { encoding: 'utf8' });
  return /^ffmpeg version (\S+)/.exec(text)?.[1] ?? 'of an unknown version';
}

/**
 * Whether this ffmpeg has a filter.
 * @param {Programs} programs
 * @param {string} filter
 */
export function hasFilter({ ffmpeg }, filter) {
  const text = execFileSync(ffmpeg, ['-hide_banner', '-filters'], { encoding: 'utf8' });
  return new RegExp(`^ \\S+ +${filter} `, 'm').test(text);
}
