import { dispatchMessage } from '../../schema/wire.ts';
import type { Context } from '../context.ts';
import { errorText, log } from '../lib/log.ts';
import { dispatch } from '../services/dispatch.ts';

/** Consumer of the queue "dispatch": each message starts one attempt at its slot. */
export async function consumeDispatch(context: Context, batch: MessageBatch): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        if (await dispatch(context, dispatchMessage.parse(message.body))) message.ack();
        else message.retry();
      } catch (error) {
        log('error', 'dispatch_failed', { message_id: message.id, error: errorText(error) });
        message.retry();
      }
    }),
  );
}
