import type { DeliveryMessage } from '../../schema/api/webhook.ts';
import { errorText, log } from './log.ts';

export type NextAttempt = Omit<DeliveryMessage, 'v'>;

/** Queues the next attempts of deliveries. A failure is only logged: the sweeper finds deliveries that are due but not queued. */
export async function queueAttempts(
  queue: Queue<DeliveryMessage>,
  attempts: readonly NextAttempt[],
  delaySeconds = 0,
): Promise<void> {
  if (attempts.length === 0) return;
  try {
    await queue.sendBatch(
      attempts.map((attempt) => ({ body: { v: 1, ...attempt } })),
      { delaySeconds },
    );
  } catch (error) {
    log('error', 'webhook_send_failed', {
      delivery_id: attempts[0]?.delivery_id,
      count: attempts.length,
      error: errorText(error),
    });
  }
}
