import { writeFile } from 'node:fs/promises';
import { documents } from '../test/golden/documents.ts';

for (const [name, print] of Object.entries(documents)) {
  await writeFile(new URL(`../test/golden/${name}`, import.meta.url), await print());
}
