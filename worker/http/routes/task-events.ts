import { z } from 'zod';
import { taskId } from '../../../schema/task/task.ts';
import type { App } from '../../app-env.ts';
import { eventResponse } from '../../lib/event-stream.ts';
import { taskEvents } from '../../services/tasks/task-events.ts';
import { declare, keyed } from '../declare.ts';
import { knownPrincipal, ownTask } from '../middleware/principal.ts';

export function taskEventRoutes(app: App): void {
  declare(
    app,
    {
      method: 'get',
      counted: 'polls',
      path: '/task/{id}/events',
      operationId: 'task_events',
      tags: ['tasks'],
      summary: 'Stream the changes of a task as Server-Sent Events until it ends.',
      description:
        'Sends `task.updated` when the status, stage or progress changes (at most one event per second), and `task.completed`, `task.failed` or `task.deleted` as the last event. The data of each event is the task. The stream ends after the last event or after a few minutes. If it ends early, reconnect with the latest event id as `Last-Event-ID`; SSE clients do this automatically.',
      security: keyed,
      request: {
        params: z.object({ id: taskId.meta({ description: 'Id of the task.' }) }),
        headers: z.object({
          'last-event-id': z
            .string()
            .optional()
            .meta({ description: 'Id of the last event you received; the stream continues after it.' }),
        }),
      },
      responses: {
        200: {
          description: 'The event stream.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        204: { description: 'You already received the last event. Do not reconnect.' },
      },
      errors: ['missing_api_key', 'invalid_api_key', 'task_not_found', 'internal_error', 'unavailable'],
    },
    async (c) => {
      const task = await ownTask(c);
      const context = c.get('context');
      const { accountId, plan, keyId } = knownPrincipal(c);
      const isAllowed = () => context.keys.isActive(keyId, Date.now());
      const lastEventId = c.req.header('last-event-id');
      return eventResponse(await taskEvents(context, { accountId, plan, isAllowed }, task, lastEventId));
    },
  );
}
