import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { app } from '../../worker/app.ts';
import { EXAMPLE_ORIGIN } from '../../worker/docs/example-tasks.ts';
import { llmsText } from '../../worker/docs/llms.ts';
import { openApiDocument } from '../../worker/openapi.ts';
import { type Service, startService } from '../harness.ts';

export const openApi = () => openApiDocument(app, EXAMPLE_ORIGIN);

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The committed documents that plain Node can print: file name to text. `npm run generate` writes them. */
export const printed: Record<string, () => string> = {
  'openapi.json': () => json(openApi()),
  'llms.txt': () => llmsText(openApi(), EXAMPLE_ORIGIN),
};

/** The committed documents that a running service gives, in the same manner. */
export const served: Record<string, (service: Service) => Promise<string>> = {
  'mcp-tools.json': async (service) => {
    const client = new Client({ name: 'golden', version: '1' });
    const requestInit = { headers: { 'x-api-key': service.accounts.elite.key } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
    const { tools } = await client.listTools();
    await client.close();
    return json(tools);
  },
};

/** A service whose tasks stay in line, for documents and pages. */
export const startDocumentService = () => startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });

export const changed = 'it has changed: run `npm run generate`, read the difference and commit test/golden';
