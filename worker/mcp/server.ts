import {
  type CallToolResult,
  createMcpHandler,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { operationNames, operations } from '../../schema/operations/index.ts';
import { taskId, waitSeconds } from '../../schema/task/task.ts';
import { taskListQuery } from '../../schema/task/task-list.ts';
import type { Context } from '../context.ts';
import { errorText, log } from '../lib/log.ts';
import { Problem, parseInput } from '../lib/problem.ts';
import type { Principal } from '../repos/keys.ts';
import { findTask } from '../services/tasks/find-task.ts';
import { listTasks } from '../services/tasks/list-tasks.ts';
import { submit } from '../services/tasks/submit.ts';
import { taskView } from '../services/tasks/task-view.ts';
import { waitForChange } from '../services/tasks/wait-for-change.ts';
import { problemResult } from './problem-result.ts';

const instructions =
  'Spool cuts, merges, crops, transcodes and inspects media at public https URLs. Each operation starts a task and returns immediately. Call get_task until the status is completed or failed, then download output.file_url. To use the main file of a completed task as a source, give task:<task_id> instead of a URL.';

const getTaskInput = z.strictObject({
  task_id: taskId.meta({ description: 'The id that the operation returned.' }),
  wait_seconds: waitSeconds,
});

/**
 * Describes the arguments of a tool without checking them. Each tool parses its own with `parseInput`, so that mistakes get the
 * same problem as over HTTP instead of a message of the SDK.
 */
function described(input: z.ZodType): StandardSchemaWithJSON<Record<string, unknown>> {
  const { vendor, version, jsonSchema } = input['~standard'];
  const validate = (value: unknown) => ({ value: value as Record<string, unknown> });
  return { '~standard': { vendor, version, jsonSchema, validate } };
}

/** Answers one MCP request. The tools are generated from the registry and call the same services as REST. */
export function mcpHandler(
  context: Context,
  principal: Principal,
  requestId: string,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const handler = createMcpHandler(() => mcpServer(context, principal, requestId, request.headers), {
    responseMode: 'json',
  });
  return handler.fetch(request, { parsedBody });
}

function mcpServer(context: Context, principal: Principal, requestId: string, headers: Headers): McpServer {
  const server = new McpServer(
    { name: 'spool', title: 'Spool', version: packageJson.version },
    { instructions },
  );
  for (const name of operationNames) {
    const { title, summary, description, input } = operations[name];
    server.registerTool(
      name,
      {
        title,
        description: `${summary} ${description}`,
        inputSchema: described(input),
        annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
      },
      (args: Record<string, unknown>) =>
        answer(requestId, async () => {
          const { task } = await submit(context, principal, name, args, requestId, headers);
          return taskView(context.config, task);
        }),
    );
  }
  server.registerTool(
    'get_task',
    {
      title: 'Get task',
      description:
        'Returns a task: its status, progress, and finally its result (output.file_url) or error. Set wait_seconds to wait for the next status change instead of polling.',
      inputSchema: described(getTaskInput),
      annotations: { readOnlyHint: true },
    },
    (args) =>
      answer(requestId, async () => {
        const { task_id, wait_seconds = 0 } = parseInput(getTaskInput, args);
        const task = await findTask(context, principal.accountId, task_id);
        if (!task) throw new Problem('task_not_found');
        return taskView(context.config, await waitForChange(context, principal, task, wait_seconds));
      }),
  );
  server.registerTool(
    'list_tasks',
    {
      title: 'List tasks',
      description: 'Lists your tasks, newest first. For the next page, pass next_cursor as cursor.',
      inputSchema: described(taskListQuery),
      annotations: { readOnlyHint: true },
    },
    (args) => answer(requestId, async () => listTasks(context, principal, parseInput(taskListQuery, args))),
  );
  return server;
}

async function answer(
  requestId: string,
  work: () => Promise<Record<string, unknown>>,
): Promise<CallToolResult> {
  try {
    const structuredContent = await work();
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (error) {
    if (!(error instanceof Problem))
      log('error', 'tool_failed', { request_id: requestId, error: errorText(error) });
    return problemResult(error instanceof Problem ? error : new Problem('internal_error'), requestId);
  }
}
