import type { Env } from '../../worker/bindings.ts';
import worker, { Account as RealAccount } from '../../worker/index.ts';
import { shiftDate } from './shifted-date.ts';

export * from '../../worker/index.ts';

/** The service on a clock that can be set wrong: `POST /clock` with the milliseconds that it is ahead. */
let offset = 0;
shiftDate(() => offset);

export class Account extends RealAccount {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // Alarms ring by the clock of workerd, which stays right.
    const setAlarm = ctx.storage.setAlarm.bind(ctx.storage);
    ctx.storage.setAlarm = (time, options) => setAlarm(Number(time) - offset, options);
  }
}

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== '/clock') return worker.fetch(request, env, ctx);
    offset = Number(await request.text());
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;
