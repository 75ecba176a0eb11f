import { writeFile } from 'node:fs/promises';
import { documentNames, servedDocument, startDocumentService } from '../test/golden/documents.ts';

const service = await startDocumentService();
for (const name of documentNames) {
  const path = new URL(`../test/golden/${name}`, import.meta.url).pathname;
  await writeFile(path, await servedDocument(service, name));
}
await service.close();
