import { app } from '../../worker/app.ts';
import { EXAMPLE_ORIGIN } from '../../worker/docs/example-tasks.ts';
import { llmsText } from '../../worker/docs/llms.ts';
import { openApiDocument } from '../../worker/openapi.ts';

export const openApi = () => openApiDocument(app, EXAMPLE_ORIGIN);

/** The committed documents by file name: `npm run generate` writes them, and the tests compare them. */
export const documents: Record<string, () => string | Promise<string>> = {
  'openapi.json': () => `${JSON.stringify(openApi(), null, 2)}\n`,
  'llms.txt': () => llmsText(openApi(), EXAMPLE_ORIGIN),
};
