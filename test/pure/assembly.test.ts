import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assemble, assembled } from '../../scripts/assembly.ts';
import { root } from '../../scripts/lib/paths.mjs';

test.each(Object.entries(assembled))('%s is what %s compiles to', async (made, source) => {
  expect(await readFile(join(root, made))).toEqual(await assemble(source));
});
