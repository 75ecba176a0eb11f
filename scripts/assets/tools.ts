import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../lib/paths.mjs';
import { folderOf, publish } from './missing.ts';

/** Pages under /tools that run in the browser: each is bundled from its folder of web/tools. */
const TOOLS = ['mp4-to-mp3'];

/**
 * Bundles the scripts of the tools for the browser, under names with the hash of their content. made.json maps the role of each to
 * its name, for the Worker, and has a digest of all.
 */
export async function makeTools(): Promise<void> {
  await Promise.all(TOOLS.map(makeTool));
  await publish(TOOLS.map((tool) => `tools/${tool}`));
}

async function makeTool(tool: string): Promise<void> {
  const from = join(root, 'web/tools', tool);
  const folder = folderOf(`tools/${tool}`);
  await mkdir(join(root, '.spool'), { recursive: true, mode: 0o700 });
  await mkdir(dirname(folder), { recursive: true });
  const scratch = await mkdtemp(join(root, '.spool/tools-'));
  const bundle = async (entry: string, define: Record<string, string> = {}, name = '[name]-[hash]') => {
    const { metafile } = await build({
      entryPoints: [join(from, entry)],
      outdir: scratch,
      entryNames: name,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      legalComments: 'eof',
      loader: { '.wasm': 'binary' },
      metafile: true,
      define,
      logLevel: 'error',
      absWorkingDir: root,
    });
    return basename(Object.keys(metafile.outputs)[0] ?? '');
  };
  try {
    const worker = await bundle('worker/converter.ts');
    const [script, style] = await Promise.all([
      bundle('page/page.ts', { WORKER_URL: JSON.stringify(`/tools/${tool}/${worker}`) }),
      bundle('page/page.css'),
      bundle('service-worker.ts', {}, '[name]'),
      copyFile(join(from, 'app.webmanifest'), join(scratch, 'app.webmanifest')),
    ]);
    const digest = await digestOf(scratch);
    await writeFile(join(scratch, 'made.json'), JSON.stringify({ worker, script, style, digest }));
    await rm(folder, { recursive: true, force: true });
    await rename(scratch, folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Some names do not change with the content. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort())
    hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
