import type { CallToolRequest, CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { invalidFields } from '../lib/problem.ts';
import type { TaskView } from '../repos/task-row.ts';
import type { McpRequest } from './mcp-request.ts';
import { problemOf, problemResult } from './problem-result.ts';
import { createdTask, takesTasks } from './tasks-extension.ts';
import { toolNamed, unknownTool } from './tools/index.ts';
import type { ToolCall } from './tools/tool.ts';

/**
 * Answers `tools/call`. Mistakes of the model are results, which it reads; an unknown tool is an error of the protocol.
 * @throws Problem validation_failed (unknown tool)
 */
export async function callTool(
  request: McpRequest,
  { params }: CallToolRequest,
  mcp: ServerContext,
): Promise<CallToolResult> {
  const tool = toolNamed(params.name);
  if (!tool) {
    throw invalidFields([{ pointer: '/name', code: 'unknown_tool', detail: unknownTool(params.name) }]);
  }
  const call: ToolCall = { ...request, onProgress: progressListener(mcp) };
  try {
    const result = await tool.call(call, params.arguments ?? {});
    return tool.startsTask && takesTasks(mcp) ? createdTask(request, result) : result;
  } catch (error) {
    return problemResult(problemOf(error, request.requestId), request.requestId);
  }
}

/** Sends progress notifications if the client asked for them. They only grow, as the protocol demands. */
function progressListener({ mcpReq }: ServerContext): ToolCall['onProgress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  let last = -1;
  return async ({ progressPercent: progress, stage, etaSeconds }: TaskView) => {
    if (progress <= last) return;
    last = progress;
    const left = etaSeconds === null ? '' : `, about ${Math.ceil(etaSeconds)} s left`;
    const params = { progressToken, progress, total: 100, message: `${stage}${left}` };
    await mcpReq.notify({ method: 'notifications/progress', params });
  };
}
