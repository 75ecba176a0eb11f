import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Service } from '../../harness.ts';

/** A client of the official SDK, connected to `/mcp`; by default it speaks the newest revision that both sides know. */
export async function connect(
  service: Pick<Service, 'url'>,
  key: string,
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const requestInit = { headers: { 'x-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
  return client;
}

/** The JSON in the text of a result. */
export function textOf(result: { content: unknown }): Record<string, unknown> {
  const [{ text = '' } = {}] = result.content as { text?: string }[];
  return JSON.parse(text) as Record<string, unknown>;
}
