import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server';
import type { TaskView } from '../../repos/task-row.ts';
import type { McpRequest } from '../mcp-request.ts';

/** A call of a tool. */
export interface ToolCall extends McpRequest {
  /** Receives the task that is waited for, at each change; null if the client did not ask for progress. */
  onProgress: ((task: TaskView) => Promise<void>) | null;
}

export interface Tool {
  /** The entry of `tools/list`. */
  listed: ListedTool;
  /** Whether its results are new tasks, which take longer than the call. */
  startsTask?: true;
  /** @throws Problem */
  call(call: ToolCall, args: unknown): Promise<CallToolResult>;
}

/** Annotations of a tool that changes nothing; the others then have no meaning. */
export const readOnly = { readOnlyHint: true, openWorldHint: false } as const;
