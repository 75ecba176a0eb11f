import { type McpRequestContext, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { callTool } from './call-tool.ts';
import { complete } from './completion.ts';
import { instructions } from './instructions.ts';
import type { McpRequest } from './mcp-request.ts';
import { protocolError } from './problem-result.ts';
import { getPrompt, listedPrompts } from './prompts/index.ts';
import { readResource, resources, taskTemplate } from './resources.ts';
import { cancelTask, getTask, TASKS_EXTENSION, updateTask } from './tasks-extension.ts';
import { tools } from './tools/index.ts';
import { unknownMethod } from './with-problem.ts';

/** Lists change only with a new version of the service. */
const LISTS = { ttlMs: 6 * 60 * 60 * 1000, cacheScope: 'public' } as const;

/** Makes the server for one request. */
export type MakeMcpServer = (request: McpRequest, era: McpRequestContext['era']) => McpServer;

/**
 * The server of the service. Its tools are generated from the registry and call the same services as REST.
 *
 * The handlers are set below the helpers of the SDK, which check arguments themselves, answer in their own words, and have no
 * tools that they do not list.
 */
export function mcpServer(request: McpRequest, era: McpRequestContext['era']): McpServer {
  const mcp = new McpServer(
    { name: 'spool', title: 'Spool', version: packageJson.version },
    {
      instructions,
      cacheHints: {
        'tools/list': LISTS,
        'prompts/list': LISTS,
        'resources/list': LISTS,
        'resources/templates/list': LISTS,
        'server/discover': LISTS,
      },
    },
  );
  const { server } = mcp;
  server.registerCapabilities({
    ...{ tools: {}, resources: {}, prompts: {}, completions: {} },
    extensions: { [TASKS_EXTENSION]: {} },
  });
  const answered = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw protocolError(error, request.requestId);
    }
  };
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listed }) => listed) }));
  server.setRequestHandler('tools/call', (message, context) =>
    answered(() => callTool(request, message, context)),
  );
  server.setRequestHandler('resources/list', () => ({ resources }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [taskTemplate] }));
  server.setRequestHandler('resources/read', (message) => answered(() => readResource(request, message)));
  server.setRequestHandler('prompts/list', () => ({ prompts: listedPrompts }));
  server.setRequestHandler('prompts/get', (message) => answered(() => getPrompt(message)));
  server.setRequestHandler('completion/complete', (message) => answered(() => complete(request, message)));
  // In the newest revision the SDK answers with status 404, which a handler could not.
  if (era === 'legacy') {
    server.fallbackRequestHandler = ({ method }) =>
      answered(() => {
        throw unknownMethod(method, request.requestId);
      });
  }
  const params = z.looseObject({ taskId: z.string() });
  for (const [method, answer] of Object.entries({ get: getTask, update: updateTask, cancel: cancelTask })) {
    server.setRequestHandler(`tasks/${method}`, { params }, ({ taskId }, context) =>
      answered<Record<string, unknown>>(() => answer(request, context, taskId)),
    );
  }
  return mcp;
}
