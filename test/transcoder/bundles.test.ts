import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostKinds } from '../../transcoder/engines/host.ts';
import { bundleDirectory, bundled } from '../../transcoder/process/bundles.mjs';

const root = join(import.meta.dirname, '../..');
const modules = [
  'transcoder/main.ts',
  'transcoder/process/watchdog-thread.ts',
  'transcoder/task/read-text-thread.ts',
  'transcoder/media/subject/watch-thread.ts',
  'transcoder/media/libav/child/main.ts',
  'transcoder/media/drawing/main.ts',
  ...hostKinds.map((kind) => `transcoder/engines/hosts/${kind}.ts`),
];

test.each(modules)('%s starts as a bundle of its sources', (module) => {
  const start = bundled(join(root, module));
  expect(relative(bundleDirectory, start)).toMatch(
    new RegExp(`^[0-9a-f]{64}/${module.replace(/ts$/, 'mjs')}$`),
  );
});

/** A tree of its own with one module, `child.ts`, that uses `used.ts`. */
describe('a bundle', () => {
  let tree: string;
  let own: typeof import('../../transcoder/process/bundles.mjs');
  let child: string;

  beforeEach(async () => {
    tree = await mkdtemp(join(tmpdir(), 'spool-bundles-'));
    const copy = join(tree, 'transcoder/process/bundles.mjs');
    await cp(join(root, 'transcoder/process/bundles.mjs'), copy, { recursive: true });
    child = join(tree, 'child.ts');
    await writeFile(child, "import './used.ts';");
    await writeFile(join(tree, 'used.ts'), 'export const value = 1;');
    own = await import(copy);
    await mkdir(own.bundleDirectory, { recursive: true });
    await writeFile(join(own.bundleDirectory, 'child.mjs'), 'export const value = 1;');
    const inputs = ['child.ts', 'used.ts'];
    const record = { 'child.ts': { file: 'child.mjs', inputs, digest: own.digestOf(inputs) } };
    await writeFile(own.bundleRecord, JSON.stringify(record));
  });

  afterEach(() => rm(tree, { recursive: true, force: true }));

  test('is started in place of the module that it was made of', () => {
    expect(own.bundled(child)).toBe(join(own.bundleDirectory, 'child.mjs'));
  });

  test.each([
    ['a module that it uses has changed', () => writeFile(join(tree, 'used.ts'), 'export const value = 2;')],
    ['a module that it uses is gone', () => rm(join(tree, 'used.ts'))],
    ['its file is gone', () => rm(join(own.bundleDirectory, 'child.mjs'))],
    ['there is no record of it', () => rm(own.bundleRecord)],
    ['the record cannot be read', () => writeFile(own.bundleRecord, '{')],
  ])('is not started if %s', async (_, change) => {
    await change();
    expect(own.bundled(child)).toBe(child);
  });
});
