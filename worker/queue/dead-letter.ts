import { dispatchMessage } from '../../schema/wire.ts';
import type { Context } from '../context.ts';
import { log } from '../lib/log.ts';

/** Consumer of the dead-letter queue: keeps the message for the operator and counts its attempt as lost. */
export async function consumeDeadLetters(context: Context, batch: MessageBatch, now: number): Promise<void> {
  for (const message of batch.messages) {
    await context.deadLetters.record(batch.queue, message.id, message.body, now);
    const parsed = dispatchMessage.safeParse(message.body);
    log('error', 'dead_letter', {
      queue: batch.queue,
      message_id: message.id,
      task_id: parsed.data?.task_id,
    });
    if (parsed.success)
      await context.account(parsed.data.account_id).lost(parsed.data.task_id, parsed.data.attempt);
    message.ack();
  }
}
