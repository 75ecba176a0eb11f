/** Builds client/dist: the library as ESM and CommonJS with types, and the command line. `npm pack` calls it. */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const client = join(root, 'client');
const dist = join(client, 'dist');

const shared = { bundle: true, minify: true, target: 'es2022', logLevel: 'warning' } as const;

await rm(dist, { recursive: true, force: true });
await Promise.all([
  build({ ...shared, entryPoints: [join(client, 'src/index.ts')], format: 'esm', outfile: join(dist, 'esm/index.js') }),
  build({ ...shared, entryPoints: [join(client, 'src/index.ts')], format: 'cjs', outfile: join(dist, 'cjs/index.cjs') }),
  build({
    ...shared,
    entryPoints: [join(client, 'cli/main.ts')],
    format: 'esm',
    platform: 'node',
    outfile: join(dist, 'cli.js'),
  }),
]);
await chmod(join(dist, 'cli.js'), 0o755);
await writeTypes();
await copyFile(join(root, 'LICENSE'), join(client, 'LICENSE'));

/** The declarations of the sources, once for each kind of module. */
async function writeTypes(): Promise<void> {
  const from = join(dist, 'types');
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', 'src'];
  const tsc = join(root, 'node_modules/.bin/tsc');
  const entry = ['--types', '', '--outDir', from, '-p', 'tsconfig.build.json'];
  execFileSync(tsc, [...entry, ...options], { cwd: client, stdio: 'inherit' });
  for (const file of await readdir(from, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const text = await readFile(join(from, file), 'utf8');
    await writeType('esm', file, text.replaceAll(/(from '[^']+|import\('[^']+)\.ts'/g, "$1.js'"));
    await writeType('cjs', file.replace(/\.d\.ts$/, '.d.cts'), text.replaceAll(/(from '[^']+)\.ts'/g, "$1.cjs'"));
  }
  await rm(from, { recursive: true });
}

async function writeType(kind: string, file: string, text: string): Promise<void> {
  const path = join(dist, kind, file);
  await import('node:fs/promises').then(({ mkdir }) => mkdir(join(path, '..'), { recursive: true }));
  await writeFile(path, text);
}
