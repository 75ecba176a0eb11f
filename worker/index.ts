import { makeApp } from './app.ts';
import type { Env } from './bindings.ts';
import { type Context, makeContext } from './context.ts';
import type { PeopleContext } from './people-context.ts';
import { consumeDeadLetters } from './queue/dead-letter.ts';
import { consumeDispatch } from './queue/dispatch.ts';
import { consumeWebhooks } from './queue/webhooks.ts';
import { sweep } from './services/maintenance/sweep.ts';
import { sweepWebhooks } from './services/maintenance/sweep-webhooks.ts';

export { Account } from './account/account.ts';
export { Transcoder } from './container/transcoder.ts';
export { Fleet } from './fleet/fleet.ts';

export default {
  fetch: makeApp().fetch,

  async queue(batch, env) {
    const context = makeContext(env);
    if (batch.queue.endsWith('-mails')) {
      const { consumeMails } = await import('./queue/mails.ts');
      await consumeMails(await peopleContext(env, context), batch, Date.now());
    } else if (batch.queue.endsWith('-dead')) await consumeDeadLetters(context, batch, Date.now());
    else if (batch.queue.endsWith('-webhooks')) await consumeWebhooks(context, batch);
    else await consumeDispatch(context, batch, Date.now());
  },

  async scheduled(controller, env) {
    const context = makeContext(env);
    // A run may begin late, and to sweeps a time in the future means that the clock was set back.
    const now = Math.max(controller.scheduledTime, Date.now());
    const sweeps = await Promise.allSettled([
      sweep(context, now),
      sweepWebhooks(context, now),
      sweepAllPeople(env, context, now),
      probeAllParts(context, controller.scheduledTime),
    ]);
    // Only now: the runtime ends what is still under way when this rejects.
    const failed = sweeps.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  },
} satisfies ExportedHandler<Env>;

async function peopleContext(env: Env, context: Context): Promise<PeopleContext> {
  return (await import('./people-context.ts')).makePeopleContext(env, context);
}

async function sweepAllPeople(env: Env, context: Context, now: number): Promise<void> {
  const { sweepPeople } = await import('./services/maintenance/sweep-people.ts');
  await sweepPeople(await peopleContext(env, context), context, now);
}

async function probeAllParts(context: Context, now: number): Promise<void> {
  const { probeParts } = await import('./services/status/probe-parts.ts');
  await probeParts(context, now);
}
