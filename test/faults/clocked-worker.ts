import type { Env } from '../../worker/bindings.ts';
import worker, { Account as RealAccount, Fleet as RealFleet } from '../../worker/index.ts';
import { shiftDate } from './shifted-date.ts';

export * from '../../worker/index.ts';

/** The service on a clock that can be set wrong: `POST /clock` with the milliseconds that it is ahead. */
let offset = 0;
shiftDate(() => offset);

/** Alarms ring by the clock of workerd, which stays right. */
function correctAlarms({ storage }: DurableObjectState): void {
  const setAlarm = storage.setAlarm.bind(storage);
  storage.setAlarm = (time, options) => setAlarm(Number(time) - offset, options);
}

export class Account extends RealAccount {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    correctAlarms(ctx);
  }
}

export class Fleet extends RealFleet {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    correctAlarms(ctx);
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
