import type { WebhookEvent } from '../../../schema/api/webhook.ts';
import { completedTask } from './example-tasks.ts';

/** The event that a receiver gets when a cut completes. */
export function completedEvent(): WebhookEvent {
  return {
    object: 'event',
    id: 'evt_01kagzr5j07r3d9x6c2f8m4vqe',
    type: 'task.completed',
    created_at: '2026-11-20T10:00:06.000Z',
    data: { object: completedTask('cut') },
  };
}
