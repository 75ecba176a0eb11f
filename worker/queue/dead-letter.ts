import { dispatchMessage } from '../../schema/task/wire.ts';
import type { Context } from '../context.ts';
import { log } from '../lib/log.ts';
import { undelivered } from '../services/tasks/dispatch.ts';

/** Consumer of the dead-letter queues: returns tasks to their account, and keeps other messages for the operator. */
export async function consumeDeadLetters(context: Context, batch: MessageBatch, now: number): Promise<void> {
  for (const message of batch.messages) {
    const { data } = dispatchMessage.safeParse(message.body);
    log('error', 'dead_letter', { queue: batch.queue, message_id: message.id, task_id: data?.task_id });
    if (data) await undelivered(context, data);
    else await context.deadLetters.record(batch.queue, message.id, message.body, now);
    message.ack();
  }
}
