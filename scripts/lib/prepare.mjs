import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDependencies, pinnedVersion } from './dependencies.mjs';
import { readJson } from './json-file.mjs';
import { pinnedNode, root } from './paths.mjs';
import { ffmpegVersion, findEngines, findPrograms } from './programs.mjs';
import { makeSample, sampleRecipe } from './sample.mjs';
import { localSecrets } from './secrets.mjs';
import { fingerprint, isPrepared, notePrepared } from './stamps.mjs';
import { step } from './steps.mjs';
import { wranglerEnv } from './wrangler.mjs';

/**
 * @typedef {import('./children.mjs').Children} Children
 * @typedef {import('./paths.mjs').Instance} Instance
 * @typedef {import('./programs.mjs').Programs} Programs
 * @typedef {import('./secrets.mjs').Secrets} Secrets
 *
 * @typedef {object} Prepared
 * @property {Programs} programs
 * @property {Secrets} secrets
 * @property {Record<'basic' | 'boost' | 'elite', string>} keys
 * @property {string} dashboardUrl Signs in as the owner of the seeded accounts, once; empty without an address.
 */

/**
 * Dependencies and programs: everything that tools and tests need.
 * @param {Children} children
 * @returns {Promise<Programs>}
 */
export async function prepareTools(children) {
  await installDependencies(children);
  const programs = await findPrograms(children);
  await findEngines(children);
  await children.run(pinnedNode, [join(root, 'scripts/bundles.ts')]);
  console.log(`  ✓ Node ${pinnedVersion}, ffmpeg ${ffmpegVersion(programs)}`);
  return programs;
}

/**
 * Everything a local service needs before it starts.
 * @param {Children} children
 * @param {Instance} instance
 * @param {string} [baseUrl] The address that it will have.
 * @returns {Promise<Prepared>}
 */
export async function prepare(children, instance, baseUrl) {
  const programs = await prepareTools(children);
  const secrets = localSecrets();
  for (const dir of [instance.state, instance.logs, instance.work]) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }
  writeFileSync(join(instance.logs, 'wrangler.log'), '');
  const recipe = fingerprint(sampleRecipe);
  const fresh = !isPrepared(instance, 'sample', recipe);
  if (fresh) await step('a sample video', () => makeSample(children, programs, instance.sample));
  const env = {
    ...{ ...wranglerEnv(instance), WRANGLER_LOG: 'error' },
    ...{ DIR: instance.dir, KEY_PEPPER: secrets.KEY_PEPPER },
    ...(fresh ? { SAMPLE: instance.sample } : {}),
    ...(baseUrl === undefined ? {} : { BASE_URL: baseUrl }),
  };
  const [link] = await Promise.all([
    step('database, accounts and their keys', () =>
      children.run(pinnedNode, [join(root, 'scripts/local-state.ts')], { env }),
    ),
    children.run(pinnedNode, [join(root, 'scripts/assets.ts'), '--tools']),
  ]);
  if (fresh) notePrepared(instance, 'sample', recipe);
  return { programs, secrets, keys: readJson(instance.keysFile), dashboardUrl: link.trim() };
}

/**
 * Creates what the documentation shows: clips of the transitions and examples of the operations.
 * @param {Children} children
 * @param {Programs} programs
 * @param {{background?: boolean}} [options] In the background it leaves the processors to tasks.
 * @returns {Promise<string>} What was created; empty if nothing was missing.
 */
export async function makeClips(children, { ffmpeg, ffprobe }, { background = false } = {}) {
  const args = [join(root, 'scripts/assets.ts'), '--clips', ...(background ? ['--background'] : [])];
  const env = { ...process.env, FFMPEG: ffmpeg, FFPROBE: ffprobe };
  return (await children.run(pinnedNode, args, { env })).trim();
}
