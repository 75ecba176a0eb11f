import type { Context as HonoContext } from 'hono';
import { z } from 'zod';
import { outputMediaTypes } from '../../../schema/media/media-types.ts';
import { deletedTask, isLive, task, taskId, waitSeconds } from '../../../schema/task/task.ts';
import type { App, AppEnv } from '../../app-env.ts';
import { parseInput } from '../../lib/problem.ts';
import type { Handler } from '../../mount.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { download, linkedTask } from '../../services/files/download.ts';
import { deleteTask } from '../../services/tasks/delete-task.ts';
import { upToDate } from '../../services/tasks/find-task.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { waitForChange } from '../../services/tasks/wait-for-change.ts';
import { declare, jsonResponse, keyed, pollErrors } from '../declare.ts';
import { taskExamples } from '../docs/example-tasks.ts';
import { bytesRequest } from '../middleware/bytes-request.ts';
import { knownPrincipal, ownTask, principalOf } from '../middleware/principal.ts';
import { fromText } from '../middleware/query.ts';

const params = z.object({ id: taskId.meta({ description: 'Id of the task.' }) });
const waitParameter = z.object({ wait_seconds: fromText(waitSeconds) });
const tags = ['tasks'];
const fileContent = Object.fromEntries(
  outputMediaTypes.map((type) => [type, { schema: { type: 'string' as const, format: 'binary' } }]),
);
const keyErrors = ['missing_api_key', 'invalid_api_key'] as const;

/** Waits until the task's status changes or the requested time is up. @throws Problem validation_failed, task_not_found */
async function afterWait(c: HonoContext<AppEnv>, task: TaskView, asked: string): Promise<TaskView> {
  const { wait_seconds = 0 } = parseInput(waitParameter, { wait_seconds: asked });
  return waitForChange(c.get('context'), knownPrincipal(c), task, wait_seconds);
}

export function taskRoutes(app: App): void {
  declare(
    app,
    {
      method: 'get',
      counted: 'polls',
      path: '/task/{id}',
      operationId: 'get_task',
      tags,
      summary: 'Get a task: its status, progress, and finally its result or error.',
      description:
        'With `wait_seconds`, the response is delayed until the status changes or the time is up (long polling). A task that has ended is returned immediately, and so is every task while your plan’s number of open connections is reached: pause for a second before you ask again.',
      security: keyed,
      request: { params, query: z.object({ wait_seconds: waitSeconds }) },
      responses: {
        200: {
          description: 'The task.',
          headers: {
            'Retry-After': {
              description: 'Recommended seconds until the next poll, while the task is running.',
              schema: { type: 'integer' },
            },
          },
          content: { 'application/json': { schema: task, examples: taskExamples() } },
        },
      },
      errors: [...pollErrors, 'task_not_found'],
    },
    async (c) => {
      const context = c.get('context');
      const found = await ownTask(c);
      const asked = c.req.query('wait_seconds');
      const row = asked === undefined ? found : await afterWait(c, found, asked);
      return c.json(await taskView(context.config, row), 200, {
        'cache-control': 'no-store',
        ...(isLive(row) ? { 'retry-after': '1' } : {}),
      });
    },
  );

  declare(
    app,
    {
      method: 'delete',
      counted: 'polls',
      path: '/task/{id}',
      operationId: 'delete_task',
      tags,
      summary: 'Delete a task: stop it if it is running, and delete its files and its record.',
      security: keyed,
      request: { params },
      responses: {
        200: jsonResponse('The task was deleted.', deletedTask),
      },
      errors: [...keyErrors, 'task_not_found', 'internal_error', 'unavailable'],
    },
    async (c) => {
      const context = c.get('context');
      const principal = await principalOf(c);
      const id = c.req.param('id') ?? '';
      await deleteTask(context, principal, id);
      return c.json({ object: 'task', id, deleted: true });
    },
  );

  const file: Handler = async (c) => {
    const context = c.get('context');
    const { file: role, signature, expires } = c.req.query();
    const task =
      signature === undefined && expires === undefined
        ? await upToDate(context, await ownTask(c))
        : await linkedTask(context, (name) => c.req.header(name), {
            ...{ taskId: c.req.param('id') ?? '', role, signature, expires },
          });
    return download(context, task, role, bytesRequest(c));
  };
  declare(
    app,
    {
      method: 'get',
      counted: 'own',
      path: '/task/{id}/download',
      operationId: 'download',
      tags,
      summary: 'Download a file of a completed task.',
      description:
        'Needs the API key, or `signature` and `expires` from `file_url`. Supports `Range`, `If-Range`, `If-None-Match` and HEAD.',
      security: [...keyed, {}],
      request: {
        params,
        query: z.object({
          file: z
            .string()
            .optional()
            .meta({ description: 'Role of the file, from `output.files`. Defaults to the main file.' }),
          signature: z.string().optional().meta({ description: 'Signature of the link, from `file_url`.' }),
          expires: z
            .string()
            .optional()
            .meta({ description: 'Expiry of the link in Unix seconds, from `file_url`.' }),
        }),
      },
      responses: {
        200: { description: 'The file.', content: fileContent },
        206: { description: 'The requested range.', content: fileContent },
        304: { description: 'Not modified: the ETag in If-None-Match is still current.' },
      },
      errors: [
        ...keyErrors,
        'signature_invalid',
        'task_not_found',
        'file_not_found',
        'task_not_completed',
        'task_failed',
        'output_expired',
        'range_not_satisfiable',
        'internal_error',
        'unavailable',
      ],
    },
    file,
  );
}
