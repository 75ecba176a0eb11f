import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import packageJson from '../../package.json' with { type: 'json' };
import { callTool, type McpRequest } from './call-tool.ts';
import { instructions } from './instructions.ts';
import { tools } from './tools/index.ts';

/** Lists change only with a new version of the service. */
const LISTS = { ttlMs: 6 * 60 * 60 * 1000, cacheScope: 'public' } as const;

/** Answers one MCP request. The tools are generated from the registry and call the same services as REST. */
export function mcpHandler(request: McpRequest, raw: Request, parsedBody: unknown): Promise<Response> {
  const handler = createMcpHandler(() => mcpServer(request));
  return handler.fetch(raw, { parsedBody });
}

function mcpServer(request: McpRequest): McpServer {
  const mcp = new McpServer(
    { name: 'spool', title: 'Spool', version: packageJson.version },
    { instructions, cacheHints: { 'tools/list': LISTS, 'server/discover': LISTS } },
  );
  // The SDK would check arguments itself and answer in its own words, and could not have tools that it does not list.
  const { server } = mcp;
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listed }) => listed) }));
  server.setRequestHandler('tools/call', (message, context) => callTool(request, message, context));
  return mcp;
}
