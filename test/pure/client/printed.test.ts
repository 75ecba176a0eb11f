import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../client/cli/exit-codes.ts';
import { commands } from '../../../client/cli/printed/commands.ts';
import { operationPaths } from '../../../client/src/printed/operations.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { printedFiles } from '../../../scripts/client/print-client.ts';
import { changed } from '../../golden/documents.ts';

const client = fileURLToPath(new URL('../../../client/', import.meta.url));
const read = (name: string) => readFileSync(`${client}${name}`, 'utf8');

describe('the client', () => {
  it.each(Object.entries(printedFiles))('%s is committed as the registry prints it today', (name, print) => {
    expect(read(name), changed).toBe(print());
  });

  it('has a method and a command for every operation', () => {
    expect(Object.values(operationPaths)).toEqual(operationNames.map((name) => operations[name].path));
    expect(commands.map(({ path }) => path)).toEqual(Object.values(operationPaths));
    expect(commands.map(({ method }) => method)).toEqual(Object.keys(operationPaths));
  });

  it('has at most 12 kB, compressed', async () => {
    for (const format of ['esm', 'cjs'] as const) {
      const { outputFiles } = await build({
        ...{ entryPoints: [`${client}src/index.ts`], bundle: true, minify: true, write: false },
        ...{ format, target: 'es2022', logLevel: 'silent' },
      });
      const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
      expect(bytes).toBeGreaterThan(3000);
      expect(bytes).toBeLessThanOrEqual(12_000);
    }
  });

  it('depends on nothing, and has the version of the service', () => {
    const manifest = JSON.parse(read('package.json'));
    const { version } = JSON.parse(read('../package.json'));
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect(manifest.version).toBe(version);
  });

  it('documents every exit code in its README', () => {
    const table = [...read('README.md').matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
    expect(table).toEqual(Object.values(exitCodes).map(({ code }) => code));
  });
});
