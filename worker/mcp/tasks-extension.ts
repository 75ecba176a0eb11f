import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type PlanName, planOf } from '../../schema/api/plans.ts';
import { isLive, type Task } from '../../schema/task/task.ts';
import { Problem } from '../lib/problem.ts';
import { deleteTask } from '../services/tasks/delete-task.ts';
import { findTask } from '../services/tasks/find-task.ts';
import { taskView } from '../services/tasks/task-view.ts';
import type { McpRequest } from './mcp-request.ts';
import { taskResult } from './task-result.ts';

/** The extension for work that takes longer than a request (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const POLL_MS = 1000;

/** Whether the client of this request takes a task in place of a result. */
export function takesTasks({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return declared?.extensions?.[TASKS_EXTENSION] !== undefined;
}

function requireTasks(context: ServerContext): void {
  if (takesTasks(context)) return;
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities },
    `Declare the extension ${TASKS_EXTENSION} in the capabilities of the request, or call the tool get_task.`,
  );
}

/** The result of a tool that has started a task, for a client that polls tasks itself. */
export function createdTask(
  { principal }: McpRequest,
  { structuredContent }: CallToolResult,
): CallToolResult {
  const handle = handleOf(principal.plan, structuredContent as Task);
  // The SDK lets no result of a tool pass without content.
  return { resultType: 'task', ...handle, content: [] };
}

/** `tasks/get`. @throws Problem task_not_found */
export async function getTask(request: McpRequest, context: ServerContext, id: string) {
  requireTasks(context);
  const task = await ownTask(request, id);
  const handle = handleOf(request.principal.plan, task);
  if (handle.status === 'working') return handle;
  const result = taskResult(task);
  return { ...handle, result: task.status === 'failed' ? { ...result, isError: true } : result };
}

/** `tasks/update`: tasks never ask for input. @throws Problem task_not_found */
export async function updateTask(request: McpRequest, context: ServerContext, id: string) {
  requireTasks(context);
  await ownTask(request, id);
  return {};
}

/** `tasks/cancel`: stops and deletes a task that has not ended. @throws Problem task_not_found */
export async function cancelTask(request: McpRequest, context: ServerContext, id: string) {
  requireTasks(context);
  const task = await ownTask(request, id);
  if (isLive(task)) await deleteTask(request.context, request.principal, id);
  return {};
}

async function ownTask({ context, principal }: McpRequest, id: string): Promise<Task> {
  const task = await findTask(context, principal.accountId, id);
  if (!task) throw new Problem('task_not_found');
  return taskView(context.config, task);
}

/** A task as the extension describes it. One that failed has completed there, with an error as its result. */
function handleOf(plan: PlanName, task: Task) {
  const { id, status, stage, progress_percent, created_at, started_at, completed_at } = task;
  return {
    taskId: id,
    status: isLive(task) ? ('working' as const) : ('completed' as const),
    statusMessage: isLive(task) ? `${stage}, ${Math.round(progress_percent)} %` : status,
    createdAt: created_at,
    lastUpdatedAt: completed_at ?? started_at ?? created_at,
    ttlMs: planOf(plan).record_seconds * 1000,
    pollIntervalMs: POLL_MS,
  };
}
