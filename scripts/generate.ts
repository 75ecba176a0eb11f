import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentNames, servedDocument, startDocumentService } from '../test/golden/documents.ts';
import { assemble, assembled } from './assembly.ts';
import { printedFiles } from './client/print-client.ts';

for (const [name, print] of Object.entries(printedFiles)) {
  const path = fileURLToPath(new URL(`../client/${name}`, import.meta.url));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, print());
}

for (const [made, source] of Object.entries(assembled)) {
  await writeFile(new URL(`../${made}`, import.meta.url), await assemble(source));
}

const service = await startDocumentService();
for (const name of documentNames) {
  const path = fileURLToPath(new URL(`../test/golden/${name}`, import.meta.url));
  await writeFile(path, await servedDocument(service, name));
}
await service.close();
