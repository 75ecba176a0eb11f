/** Builds client/dist: the library as ESM and CommonJS with types, and the command line. `npm pack` calls it. */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const client = join(root, 'client');
const dist = join(client, 'dist');

const shared = { bundle: true, minify: true, target: 'es2022', logLevel: 'warning' } as const;

await rm(dist, { recursive: true, force: true });
await Promise.all([
  build({
    ...shared,
    entryPoints: [join(client, 'src/index.ts')],
    format: 'esm',
    outfile: join(dist, 'esm/index.js'),
  }),
  build({
    ...shared,
    entryPoints: [join(client, 'src/index.ts')],
    format: 'cjs',
    outfile: join(dist, 'cjs/index.cjs'),
  }),
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
  execFileSync(tsc, ['-p', 'tsconfig.build.json', ...options, '--outDir', from], {
    cwd: client,
    stdio: 'inherit',
  });
  const files = (await readdir(from, { recursive: true })).filter((file) => file.endsWith('.d.ts'));
  for (const file of files) {
    const text = await readFile(join(from, file), 'utf8');
    for (const [kind, extension] of [
      ['esm', 'js'],
      ['cjs', 'cjs'],
    ] as const) {
      const path = join(dist, kind, file.replace(/ts$/, extension === 'js' ? 'ts' : 'cts'));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text.replaceAll(/((?:from |import\()'\.[^']+)\.ts'/g, `$1.${extension}'`));
    }
  }
  await rm(from, { recursive: true });
}
