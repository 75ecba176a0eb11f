import type { QueueEcho } from '../../../schema/api/status.ts';
import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import { within } from '../../lib/within.ts';

const PAUSE_MS = 250;
/** Dispatches of tasks may be in the same batch, and must not wait for a storage that does not answer. */
const NOTE_MS = 5000;

async function note({ statusObjects }: Context, { slot, sent_at }: QueueEcho): Promise<void> {
  // A queue may deliver an old message again after a newer one.
  const known = await statusObjects.echoed(slot);
  if (known === null || known < sent_at) await statusObjects.noteEcho(slot, sent_at);
}

/** Notes that an echo arrived. Its sender does not wait for long, so it is not tried again. */
export async function takeEcho(context: Context, echo: QueueEcho): Promise<void> {
  try {
    await within(NOTE_MS, note(context, echo));
  } catch (error) {
    log('warn', 'echo_not_noted', { error: errorText(error) });
  }
}

/** Sends a message through the queue, and resolves once it has arrived, or gives up after `ms`. */
export async function queueRoundTrip(context: Context, slot: string, ms: number): Promise<void> {
  const sentAt = Date.now();
  await context.sendEcho({ type: 'status_echo', slot, sent_at: sentAt });
  while (((await context.statusObjects.echoed(slot)) ?? 0) < sentAt) {
    if (Date.now() > sentAt + ms) throw new Error('the echo did not arrive');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
