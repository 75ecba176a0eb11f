import { queueEcho } from '../../schema/api/status.ts';
import { dispatchMessage } from '../../schema/task/wire.ts';
import type { Context } from '../context.ts';
import { errorText, log } from '../lib/log.ts';
import { takeEcho } from '../services/status/echo.ts';
import { dispatch } from '../services/tasks/dispatch.ts';

/**
 * Consumer of the queue "dispatch": each message starts one attempt, or is an echo of the status page. Messages that cannot be
 * parsed become dead letters.
 */
export async function consumeDispatch(context: Context, batch: MessageBatch, now: number): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const { data } = dispatchMessage.safeParse(message.body);
      try {
        const echo = data ? null : queueEcho.safeParse(message.body).data;
        if (data) await dispatch(context, data);
        else if (echo) await takeEcho(context, echo);
        else await context.deadLetters.record(batch.queue, message.id, message.body, now);
        message.ack();
      } catch (error) {
        log('error', 'dispatch_failed', {
          message_id: message.id,
          task_id: data?.task_id,
          error: errorText(error),
        });
        message.retry();
      }
    }),
  );
}
