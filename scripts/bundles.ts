/**
 * Bundles the modules that the transcoder starts as processes, as `transcoder/ffmpeg/bundles.ts` describes. `npm run setup`, `npm start`,
 * `npm test` and the build of the image run it; what is up to date stays.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { hostKinds } from '../transcoder/engines/host.ts';
import {
  type Bundle,
  type BundleRecord,
  bundleDirectory,
  bundled,
  bundleRecord,
  digestOf,
} from '../transcoder/ffmpeg/bundles.ts';
import { root } from './lib/paths.mjs';

const ENTRIES = [
  'transcoder/media/libav/child/main.ts',
  'transcoder/media/drawing/main.ts',
  'transcoder/letters/fonts/main.ts',
  ...hostKinds.map((kind) => `transcoder/engines/hosts/${kind}.ts`),
];

/** They load libraries or files from their own folders. */
const EXTERNAL = [
  'onnxruntime-node',
  'sherpa-onnx-node',
  '@seydx/*',
  '@vladmandic/*',
  'harfbuzzjs',
  'wawoff2',
];

/** Names the installed packages and their versions. */
const INSTALLED = 'node_modules/.package-lock.json';

/** A process of an earlier bundle may still be started by a transcoder that is running. */
const KEPT_MS = 24 * 3600_000;

/** The modules of a bundle look for their own files where they would without it. */
const ownUrls = (outfile: string): Plugin => ({
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const own = `new URL(${JSON.stringify(relative(dirname(outfile), path))}, import.meta.url).href`;
      return {
        contents: text.replaceAll('import.meta.url', own),
        loader: extname(path).endsWith('ts') ? 'ts' : 'js',
      };
    });
  },
});

async function made(entry: string): Promise<Bundle> {
  // In a list of processes, the end of its path names the module.
  const outfile = (digest: string) => join(digest, entry.replace(/\.ts$/, '.mjs'));
  const { metafile, outputFiles } = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    external: EXTERNAL,
    plugins: [ownUrls(join(bundleDirectory, outfile('digest')))],
    metafile: true,
    logLevel: 'error',
    absWorkingDir: root,
  });
  const sources = Object.keys(metafile.inputs).filter((input) => !input.startsWith('node_modules/'));
  const inputs = [...sources, INSTALLED];
  const digest = digestOf(inputs);
  const text = outputFiles[0]?.text;
  if (digest === null || text === undefined) throw new Error(`${entry} could not be bundled`);
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
  const [own, record] = await Promise.all([stat(import.meta.filename), stat(bundleRecord)]);
  return own.mtimeMs > record.mtimeMs;
}

if (await areWanted()) {
  const record: BundleRecord = Object.fromEntries(
    await Promise.all(ENTRIES.map(async (entry) => [entry, await made(entry)] as const)),
  );
  await replace(bundleRecord, JSON.stringify(record));
  await removeOld(record);
}
