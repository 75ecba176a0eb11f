import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDependencies, pinnedVersion } from './dependencies.mjs';
import { readJson } from './json-file.mjs';
import { pinnedNode, root } from './paths.mjs';
import { ffmpegVersion, findEngines, findPrograms } from './programs.mjs';
import { makeSample, sampleRecipe } from './sample.mjs';
import { localSecrets } from './secrets.mjs';
import { fingerprint, once } from './stamps.mjs';
import { step } from './steps.mjs';
import { bucket, database, wranglerEnv, wranglerLocal } from './wrangler.mjs';

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
  console.log(`  ✓ Node ${pinnedVersion}, ffmpeg ${ffmpegVersion(programs)}`);
  return programs;
}

/**
 * Everything a local service needs before it starts. Steps that are up to date are skipped.
 * @param {Children} children
 * @param {Instance} instance
 * @returns {Promise<Prepared>}
 */
export async function prepare(children, instance) {
  const programs = await prepareTools(children);
  const secrets = localSecrets();
  for (const dir of [instance.state, instance.logs, instance.work]) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }
  writeFileSync(join(instance.logs, 'wrangler.log'), '');
  const ended = await Promise.allSettled([
    prepareDatabase(children, instance, secrets),
    prepareSample(children, instance, programs),
    prepareAssets(children, programs),
  ]);
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
  return { programs, secrets, keys: readJson(instance.keysFile) };
}

/**
 * @param {Children} children
 * @param {Instance} instance
 * @param {Secrets} secrets
 */
async function prepareDatabase(children, instance, secrets) {
  const migrations = join(root, 'drizzle/migrations');
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'));
  const contents = files.sort().flatMap((name) => [name, readFileSync(join(migrations, name))]);
  await once(
    instance,
    'migrations',
    () => fingerprint(...contents),
    () =>
      step('database (migrations)', () =>
        wranglerLocal(children, instance, ['d1', 'migrations', 'apply', database]),
      ),
  );
  const seed = () =>
    fingerprint('with an owner', secrets.KEY_PEPPER, JSON.stringify(readJson(instance.keysFile) ?? null));
  await once(instance, 'seed', seed, () =>
    step('an account and a key for every plan', () =>
      children.run(pinnedNode, [join(root, 'scripts/seed.ts'), instance.dir], {
        env: { ...wranglerEnv(instance), KEY_PEPPER: secrets.KEY_PEPPER },
      }),
    ),
  );
}

/**
 * @param {Children} children
 * @param {Instance} instance
 * @param {Programs} programs
 */
async function prepareSample(children, instance, programs) {
  await once(
    instance,
    'sample',
    () => fingerprint(sampleRecipe),
    () =>
      step('a sample video', async () => {
        await makeSample(children, programs, instance.sample);
        const put = ['r2', 'object', 'put', `${bucket}/samples/sample.mp4`, '--file', instance.sample];
        await wranglerLocal(children, instance, [...put, '--content-type', 'video/mp4']);
      }),
  );
}

/**
 * @param {Children} children
 * @param {Programs} programs
 */
function prepareAssets(children, { ffmpeg, ffprobe }) {
  return step(
    'previews and examples',
    () =>
      children.run(pinnedNode, [join(root, 'scripts/assets.ts')], {
        env: { ...process.env, FFMPEG: ffmpeg, FFPROBE: ffprobe },
      }),
    (said) => (said === '' ? null : said.trim()),
  );
}
