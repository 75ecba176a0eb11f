import { z } from 'zod';
import { shownOperation } from '../../../schema/operations/shown.ts';
import { type Task, taskId, waitSeconds } from '../../../schema/task/task.ts';
import { taskListQuery } from '../../../schema/task/task-list.ts';
import { Problem, parseInput } from '../../lib/problem.ts';
import { deleteTask } from '../../services/tasks/delete-task.ts';
import { findTask } from '../../services/tasks/find-task.ts';
import { listTasks } from '../../services/tasks/list-tasks.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { waitForEnd } from '../../services/tasks/wait-for-change.ts';
import { MOST_WAIT_SECONDS } from '../next-step.ts';
import { jsonResult, taskOutputSchema, taskResult } from '../task-result.ts';
import { operationNamed } from './operation-tools.ts';
import { readOnly, type Tool } from './tool.ts';

const getTaskInput = z.strictObject({ task_id: taskId, wait_seconds: waitSeconds });
const deleteTaskInput = z.strictObject({ task_id: taskId });
/** Shorter pages than over HTTP: a language model reads all of them. */
const listTasksInput = taskListQuery.extend({ limit: taskListQuery.shape.limit.unwrap().default(10) });

const idField = { type: 'string', description: 'Id from the result of a tool' };

const getTask: Tool = {
  listed: {
    name: 'get_task',
    title: 'Get task',
    description:
      'Wait for a task and get its result. A task that is not found was deleted or belongs to another account. Returns the task with output.file_url, or with the error and what to do.',
    inputSchema: {
      type: 'object',
      properties: {
        task_id: idField,
        wait_seconds: {
          type: 'number',
          description: `Wait this long for the end; use ${MOST_WAIT_SECONDS}. Default 0`,
        },
      },
      required: ['task_id'],
    },
    outputSchema: taskOutputSchema,
    annotations: readOnly,
  },
  async call({ context, principal, onProgress }, args) {
    const { task_id, wait_seconds = 0 } = parseInput(getTaskInput, args);
    const task = await findTask(context, principal.accountId, task_id);
    if (!task) throw new Problem('task_not_found');
    const seconds = Math.min(wait_seconds, MOST_WAIT_SECONDS);
    const now = await waitForEnd(context, principal, task, seconds, onProgress);
    return taskResult(await taskView(context.config, now));
  },
};

const listTasksTool: Tool = {
  listed: {
    name: 'list_tasks',
    title: 'List tasks',
    description:
      'Find earlier tasks, newest first. If you have an id, use get_task. Returns a page of short entries.',
    inputSchema: {
      type: 'object',
      properties: {
        status: { enum: taskListQuery.shape.status.unwrap().options },
        operation: { type: 'string', description: 'Tool, such as cut_video' },
        limit: { type: 'integer', description: 'Default 10' },
        cursor: { type: 'string', description: 'next_cursor of the page before' },
      },
    },
    outputSchema: {
      type: 'object',
      properties: { data: { type: 'array', items: { type: 'object' } } },
      required: ['data'],
    },
    annotations: readOnly,
  },
  async call({ context, principal }, args) {
    const query = parseInput(listTasksInput, withOperation(args));
    const { data, ...page } = await listTasks(context, principal, query);
    const next_step = page.next_cursor
      ? `Call list_tasks with ${JSON.stringify({ ...Object(args), cursor: page.next_cursor })} for older tasks, or get_task for all about one.`
      : 'Call get_task for all about one of them.';
    return jsonResult({ ...page, data: data.map(shortTask), next_step });
  },
};

/** A call may name an operation by its tool. */
function withOperation(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const named = Reflect.get(args, 'operation');
  const operation = typeof named === 'string' ? operationNamed(named) : null;
  return operation === null ? args : { ...args, operation };
}

const shortTask = (task: Task) => ({
  id: task.id,
  tool: shownOperation(task.operation).tool,
  operation: task.operation,
  status: task.status,
  progress_percent: task.progress_percent,
  created_at: task.created_at,
  ...(task.output
    ? { file_name: task.output.file_name, media_type: task.output.media_type, expires_at: task.expires_at }
    : {}),
  ...(task.error ? { error: { code: task.error.code, title: task.error.title } } : {}),
  ...(Object.keys(task.metadata).length > 0 ? { metadata: task.metadata } : {}),
});

const deleteTaskTool: Tool = {
  listed: {
    name: 'delete_task',
    title: 'Delete task',
    description:
      'Stop a task that runs, and delete its files and its record for good. Not needed to free space: files expire. Returns the id.',
    inputSchema: { type: 'object', properties: { task_id: idField }, required: ['task_id'] },
    outputSchema: {
      type: 'object',
      properties: { id: { type: 'string' }, deleted: { type: 'boolean' } },
      required: ['id', 'deleted'],
    },
    annotations: {
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  async call({ context, principal }, args) {
    const { task_id } = parseInput(deleteTaskInput, args);
    await deleteTask(context, principal, task_id);
    const next_step = 'Nothing is left to do. Links to its files no longer work.';
    return jsonResult({ object: 'task', id: task_id, deleted: true, next_step });
  },
};

export const taskTools: Tool[] = [getTask, listTasksTool, deleteTaskTool];
