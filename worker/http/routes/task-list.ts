import { taskList, taskListQuery } from '../../../schema/task/task-list.ts';
import type { App } from '../../app-env.ts';
import { listTasks } from '../../services/tasks/list-tasks.ts';
import { declare, jsonResponse, keyed, pollErrors } from '../declare.ts';
import { principalOf } from '../middleware/principal.ts';
import { fromText, parseQuery } from '../middleware/query.ts';

const parameters = taskListQuery.extend({ limit: fromText(taskListQuery.shape.limit) });

export function taskListRoutes(app: App): void {
  declare(
    app,
    {
      method: 'get',
      counted: 'polls',
      path: '/tasks',
      operationId: 'list_tasks',
      tags: ['tasks'],
      summary: 'List your tasks, newest first.',
      description:
        'For the next page, pass `next_cursor` as `cursor` with the same filters. Tasks created in the meantime do not shift the pages. Counts as a poll.',
      security: keyed,
      request: { query: taskListQuery },
      responses: {
        200: jsonResponse('A page of tasks.', taskList),
      },
      errors: pollErrors,
    },
    async (c) => {
      const context = c.get('context');
      const principal = await principalOf(c);
      const page = await listTasks(context, principal, parseQuery(parameters, c.req.url));
      return c.json(page, 200, { 'cache-control': 'no-store' });
    },
  );
}
