import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../lib/paths.mjs';
import { folderOf, publish } from './missing.ts';

/** Bundles the search of the documentation for the browser. */
export async function makeSearch(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'web/search/search.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    legalComments: 'eof',
    logLevel: 'error',
  });
  const text = outputFiles[0]?.text ?? '';
  const digest = createHash('sha256').update(text).digest('hex');
  const folder = folderOf('search');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'search.js'), text);
  await writeFile(join(folder, 'made.json'), JSON.stringify({ digest }));
  await publish(['search']);
}
