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

/** The newest revision, which has no handshake. */
export const NEWEST = '2026-07-28';
export const newest = { versionNegotiation: { mode: { pin: NEWEST } } };

interface Answer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** One message of the newest revision, as a client sends it; `capabilities` are what the client declares. */
export async function send(
  service: Pick<Service, 'request'>,
  key: string,
  method: string,
  params: Record<string, unknown> = {},
  capabilities: object = {},
): Promise<Answer & { status: number }> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': NEWEST,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const name = params.name ?? params.uri ?? params.taskId;
  const response = await service.request('/mcp', {
    key,
    json: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': NEWEST,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  });
  const text = await response.text();
  const [, data = text] = /^data: (.+)$/m.exec(text) ?? [];
  return { status: response.status, ...(JSON.parse(data) as Answer) };
}
