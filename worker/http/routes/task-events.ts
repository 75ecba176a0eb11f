import { z } from 'zod';
import { taskId } from '../../../schema/task/task.ts';
import type { App } from '../../app-env.ts';
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
      const lastEventId = c.req.header('last-event-id');
      const stream = await taskEvents(c.get('context'), knownPrincipal(c), task, lastEventId);
      if (!stream) return c.body(null, 204);
      return c.body(stream, 200, {
        'content-type': 'text/event-stream',
        // A proxy that caches, compresses or buffers the response would delay the events.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      });
    },
  );
}
