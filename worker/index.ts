import { app } from './app.ts';
import type { Env } from './bindings.ts';
import { makeContext } from './context.ts';
import { consumeDeadLetters } from './queue/dead-letter.ts';
import { consumeDispatch } from './queue/dispatch.ts';
import { consumeWebhooks } from './queue/webhooks.ts';
import { sweep } from './services/maintenance/sweep.ts';
import { sweepWebhooks } from './services/maintenance/sweep-webhooks.ts';

export { Account } from './account/account.ts';
export { Transcoder } from './container/transcoder.ts';
export { Fleet } from './fleet/fleet.ts';

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    const context = makeContext(env);
    if (batch.queue.endsWith('-dead')) await consumeDeadLetters(context, batch, Date.now());
    else if (batch.queue.endsWith('-webhooks')) await consumeWebhooks(context, batch);
    else await consumeDispatch(context, batch, Date.now());
  },

  async scheduled(controller, env) {
    const context = makeContext(env);
    await Promise.all([
      sweep(context, controller.scheduledTime),
      sweepWebhooks(context, controller.scheduledTime),
    ]);
  },
} satisfies ExportedHandler<Env>;
