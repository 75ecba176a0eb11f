/**
 * Bundles the transcoder, and its modules that start as processes or threads, as `transcoder/process/bundles.mjs` describes. `npm run setup`, `npm start`,
 * `npm test` and the build of the image run it; what is up to date stays.
 */
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hostKinds } from '../transcoder/engines/host.ts';
import {
  type Bundle,
  type BundleRecord,
  bundleDirectory,
  bundled,
  bundleRecord,
  digestOf,
} from '../transcoder/process/bundles.mjs';
import { bundleText } from './lib/bundle-text.ts';
import { root } from './lib/paths.mjs';

const ENTRIES = [
  'transcoder/main.ts',
  'transcoder/process/watchdog-thread.ts',
  'transcoder/task/read-text-thread.ts',
  'transcoder/media/subject/watch-thread.ts',
  'transcoder/media/libav/child/main.ts',
  'transcoder/media/drawing/main.ts',
  'transcoder/letters/fonts/main.ts',
  ...hostKinds.map((kind) => `transcoder/engines/hosts/${kind}.ts`),
];

/** Names the installed packages and their versions. */
const INSTALLED = 'node_modules/.package-lock.json';

/** A process of an earlier bundle may still be started by a transcoder that is running. */
const KEPT_MS = 24 * 3600_000;

async function made(entry: string): Promise<Bundle> {
  // In a list of processes, the end of its path names the module.
  const outfile = (digest: string) => join(digest, entry.replace(/\.ts$/, '.mjs'));
  const { text, sources } = await bundleText(entry, join(bundleDirectory, dirname(outfile('digest'))));
  const inputs = [...sources, INSTALLED];
  const digest = digestOf(inputs);
  if (digest === null) throw new Error(`${entry} could not be bundled`);
  const file = outfile(digest);
  await replace(join(bundleDirectory, file), text);
  return { file, inputs, digest };
}

async function replace(path: string, text: string): Promise<void> {
  const scratch = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(scratch, text);
  await rename(scratch, path);
}

async function removeOld(record: BundleRecord): Promise<void> {
  const needed = new Set(Object.values(record).map(({ digest }) => digest));
  for (const name of await readdir(bundleDirectory)) {
    const path = join(bundleDirectory, name);
    if (needed.has(name) || path === bundleRecord) continue;
    if (Date.now() - (await stat(path)).mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Whether a bundle is missing, or the sources or the way of bundling have changed. */
async function areWanted(): Promise<boolean> {
  if (ENTRIES.some((entry) => bundled(join(root, entry)) === join(root, entry))) return true;
  const ways = [import.meta.filename, join(root, 'scripts/lib/bundle-text.ts')];
  const [record, ...own] = await Promise.all([bundleRecord, ...ways].map((path) => stat(path)));
  return own.some(({ mtimeMs }) => mtimeMs > (record?.mtimeMs ?? 0));
}

if (await areWanted()) {
  const record: BundleRecord = Object.fromEntries(
    await Promise.all(ENTRIES.map(async (entry) => [entry, await made(entry)] as const)),
  );
  await replace(bundleRecord, JSON.stringify(record));
  await removeOld(record);
}
