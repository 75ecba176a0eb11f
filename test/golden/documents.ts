import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { EXAMPLE_ORIGIN } from '../../worker/http/docs/example-tasks.ts';
import { type Service, startService } from '../harness.ts';
import { printJson } from './print-json.ts';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const printers: Record<string, (service: Service) => Promise<string>> = {
  'openapi.json': async (service) => printJson(await (await service.request('/openapi.json')).json()),
  'llms.txt': async (service) => (await service.request('/llms.txt')).text(),
  ...Object.fromEntries(
    ['/docs/operations/cut', '/docs/webhooks', '/docs/guides/vertical-short'].map((path) => [
      `${path.split('/').at(-1)}.md`,
      async (service: Service) => (await service.request(`${path}.md`)).text(),
    ]),
  ),
  'mcp-tools.json': async (service) => {
    const client = new Client({ name: 'golden', version: '1' });
    const requestInit = { headers: { 'x-api-key': service.accounts.elite.key } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
    const { tools } = await client.listTools();
    await client.close();
    return json(tools);
  },
};

/** The documents that are committed here as they are served; `npm run generate` writes them. */
export const documentNames = Object.keys(printers);

/** A document as the service gives it, with the address of the examples in place of its own. */
export async function servedDocument(service: Service, name: string): Promise<string> {
  const text = (await printers[name]?.(service)) ?? '';
  return text.replaceAll(service.url.origin, EXAMPLE_ORIGIN);
}

export const committedDocument = (name: string) =>
  readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');

/** A service whose tasks stay in line, for documents and pages. */
export const startDocumentService = () => startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });

export const changed = 'it has changed: run `npm run generate`, read the difference and commit test/golden';
