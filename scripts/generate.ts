import { writeFile } from 'node:fs/promises';
import { printed, served, startDocumentService } from '../test/golden/documents.ts';

const write = (name: string, text: string) =>
  writeFile(new URL(`../test/golden/${name}`, import.meta.url), text);

for (const [name, print] of Object.entries(printed)) await write(name, print());

const service = await startDocumentService();
for (const [name, print] of Object.entries(served)) await write(name, await print(service));
await service.close();
