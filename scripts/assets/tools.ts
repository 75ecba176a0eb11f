import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../lib/paths.mjs';
import { folderOf } from './missing.ts';

/** Pages under /tools that run in the browser: each is bundled from its folder of web/tools. */
const TOOLS = ['mp4-to-mp3'];

/**
 * Bundles the scripts of the tools for the browser, under names with the hash of their content. made.json maps the role of each to
 * its name, for the Worker.
 */
export async function makeTools(): Promise<void> {
  await Promise.all(TOOLS.map(makeTool));
}

async function makeTool(tool: string): Promise<void> {
  const from = join(root, 'web/tools', tool);
  const folder = folderOf(`tools/${tool}`);
  await mkdir(folder, { recursive: true });
  await mkdir(join(root, '.spool'), { recursive: true, mode: 0o700 });
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
    await writeFile(join(scratch, 'made.json'), JSON.stringify({ worker, script, style }));
    const made = await readdir(scratch);
    // The list comes last: what it names is there.
    const inOrder = [...made.filter((name) => name !== 'made.json'), 'made.json'];
    for (const name of inOrder) await rename(join(scratch, name), join(folder, name));
    for (const name of await readdir(folder))
      if (!made.includes(name)) await rm(join(folder, name), { force: true });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
