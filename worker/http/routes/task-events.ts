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
      summary: 'The changes of a task as Server-Sent Events, until it has ended.',
      description:
        'An event `task.updated` whenever status, stage or progress has changed, at most one a second, and `task.completed`, `task.failed` or `task.deleted` as the last; their data is the task. The stream ends with the last event, or after some minutes: connect again with the newest id as `Last-Event-ID`, as every client for such streams does.',
      security: keyed,
      request: {
        params: z.object({ id: taskId.meta({ description: 'The id of the task.' }) }),
        headers: z.object({
          'last-event-id': z
            .string()
            .optional()
            .meta({ description: 'The id of the newest event that you have; it is not sent again.' }),
        }),
      },
      responses: {
        200: {
          description: 'The events.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        204: { description: 'You have the last event already; do not connect again.' },
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
        // A proxy that stores, packs or gathers the answer would hold the events back.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      });
    },
  );
}
