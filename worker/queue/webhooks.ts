import { deliveryMessage } from '../../schema/api/webhook.ts';
import type { Context } from '../context.ts';
import { errorText, log } from '../lib/log.ts';
import { deliverWebhook } from '../services/webhooks/deliver-webhook.ts';

/** Consumer of the queue "webhooks": each message makes one attempt at one delivery. */
export async function consumeWebhooks(context: Context, batch: MessageBatch): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        await deliverWebhook(context, deliveryMessage.parse(message.body));
        message.ack();
      } catch (error) {
        log('error', 'webhook_failed', { message_id: message.id, error: errorText(error) });
        message.retry();
      }
    }),
  );
}
