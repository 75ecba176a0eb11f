/** `npm run models`: manages the weights of model engines in MODELS_DIR, where a transcoder looks for them at start. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchModel, problemOf } from '../transcoder/engines/fetch-model.ts';
import { modelManifest, manifest as ours, whatIsMissing } from '../transcoder/engines/models.ts';
import { home, root } from './lib/paths.mjs';

const USAGE = `npm run models -- list | fetch [--set captions,captions-en,lite,tts,voice,stems,photo,speakers] | verify

  list     lists all models, and which are installed
  fetch    downloads missing models, of all sets by default
  verify   checks the hash of every installed file

  MODELS_DIR        directory of the models (.spool/models)
  MODELS_MIRROR     https:// base URL of your own copies, laid out as in MODELS_DIR
  ALLOW_NC_MODELS   1 includes models that are not for commercial use`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { set: { type: 'string' }, manifest: { type: 'string' } },
});
const modelsDir = resolve(root, process.env.MODELS_DIR || join(home, 'models'));
const manifest =
  values.manifest === undefined
    ? ours
    : modelManifest.parse(JSON.parse(readFileSync(values.manifest, 'utf8')));
const sets = values.set?.split(',');
const unknown = sets?.find((set) => !manifest.models.some((model) => model.set === set));
const chosen = manifest.models.filter(({ set }) => sets === undefined || sets.includes(set));

const commands: Record<string, () => Promise<boolean>> = { list, fetch: fetchAll, verify };
const command = commands[positionals[0] ?? ''];
if (!command || positionals.length > 1) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (unknown !== undefined) {
  console.error(`There is no set ${unknown}.\n\n${USAGE}`);
  process.exitCode = 2;
} else if (!(await command())) {
  process.exitCode = 1;
}

async function list(): Promise<boolean> {
  for (const model of chosen) {
    const megabytes = model.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
    const missing = await whatIsMissing(modelsDir, model);
    console.log(
      [model.set.padEnd(11), model.id.padEnd(26), `${megabytes.toFixed(0).padStart(4)} MB `].join(' ') +
        `${model.license.spdx.padEnd(11)} ${missing === null ? 'installed' : `missing: ${missing}`}`,
    );
  }
  if (!manifest.hashes_verified) {
    console.log('The hashes are pinned by other projects; we have not verified them with a download yet.');
  }
  return true;
}

async function fetchAll(): Promise<boolean> {
  let ok = true;
  for (const model of chosen) {
    console.log(`${model.id} (${model.license.spdx}: ${model.license.attribution})`);
    try {
      await fetchModel(model, {
        modelsDir,
        mirror: process.env.MODELS_MIRROR ?? '',
        allowNonCommercial: process.env.ALLOW_NC_MODELS === '1',
        onFile: (text) => console.log(`  ${text}`),
      });
    } catch (error) {
      ok = false;
      console.error(`  ${error instanceof Error ? error.message : error}`);
    }
  }
  return ok;
}

async function verify(): Promise<boolean> {
  let ok = true;
  for (const model of chosen) {
    if ((await whatIsMissing(modelsDir, model)) !== null && values.set === undefined) continue;
    for (const file of model.files) {
      const problem = await problemOf(join(modelsDir, model.dir, file.path), file);
      ok &&= problem === null;
      console.log(`${model.dir}/${file.path} ${problem ?? 'is correct'}`);
    }
  }
  return ok;
}
