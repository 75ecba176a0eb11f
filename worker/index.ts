import { app } from './app.ts';
import type { Env } from './bindings.ts';
import { makeContext } from './context.ts';
import { consumeDeadLetters } from './queue/dead-letter.ts';
import { consumeDispatch } from './queue/dispatch.ts';
import { sweep } from './services/sweep.ts';

export { Account } from './objects/account.ts';
export { Transcoder } from './objects/transcoder.ts';

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    const context = makeContext(env);
    if (batch.queue.endsWith('-dead')) await consumeDeadLetters(context, batch, Date.now());
    else await consumeDispatch(context, batch);
  },

  async scheduled(controller, env) {
    await sweep(makeContext(env), controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
