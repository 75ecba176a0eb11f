import type { QueueEcho } from '../../../schema/api/status.ts';
import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';

const PAUSE_MS = 250;

/** Notes that an echo arrived. Its sender does not wait for long, so it is not tried again. */
export async function takeEcho({ statusObjects }: Context, { slot, sent_at }: QueueEcho): Promise<void> {
  try {
    await statusObjects.noteEcho(slot, sent_at);
  } catch (error) {
    log('warn', 'echo_not_noted', { error: errorText(error) });
  }
}

/** Sends a message through the queue, and resolves once it has arrived. */
export async function queueRoundTrip(context: Context, slot: string, now: number): Promise<void> {
  await context.sendEcho({ type: 'status_echo', slot, sent_at: now });
  while ((await context.statusObjects.echoed(slot)) !== now)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
