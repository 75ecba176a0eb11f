import type { Env } from '../../worker/bindings.ts';
import worker, { Account as RealAccount } from '../../worker/index.ts';

export { Fleet, Transcoder } from '../../worker/index.ts';

/**
 * The service with faults at its boundaries, for tests that ask for them: `POST /faults/<account>` with how often each
 * strikes from now on. Everything inside is the service itself.
 */
interface Faults {
  /** The queue refuses a dispatch. */
  send_throws: number;
  /** The queue takes a dispatch and loses it. */
  send_vanishes: number;
  /** The storage of the account's object refuses to write. */
  save_throws: number;
  /** An alarm is set, and never rings. */
  alarm_vanishes: number;
}

const faults = new Map<string, Partial<Faults>>();

/** Whether this fault strikes now; it then strikes once less. */
function strikes(account: string, name: keyof Faults): boolean {
  const of = faults.get(account);
  const left = of?.[name] ?? 0;
  if (!of || left <= 0) return false;
  of[name] = left - 1;
  return true;
}

function faultyQueue(queue: Env['DISPATCH']): Env['DISPATCH'] {
  const send: Env['DISPATCH']['send'] = async (message, options) => {
    const account = 'account_id' in message ? message.account_id : '';
    if (strikes(account, 'send_throws')) throw new Error('the queue does not answer');
    if (strikes(account, 'send_vanishes'))
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    return queue.send(message, options);
  };
  return new Proxy(queue, {
    get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
  });
}

export class Account extends RealAccount {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, { ...env, DISPATCH: faultyQueue(env.DISPATCH) });
    const { storage } = ctx;
    const { kv } = storage;
    const account = () => kv.get<{ accountId: string }>('ledger')?.accountId ?? '';
    const [put, setAlarm] = [kv.put.bind(kv), storage.setAlarm.bind(storage)];
    kv.put = (key, value) => {
      if (strikes(account(), 'save_throws')) throw new Error('the storage does not write');
      put(key, value);
    };
    storage.setAlarm = async (time, options) => {
      if (strikes(account(), 'alarm_vanishes')) return;
      await setAlarm(time, options);
    };
  }
}

export default {
  ...worker,
  async fetch(request, env, ctx) {
    const [, account] = /^\/faults\/(.+)$/.exec(new URL(request.url).pathname) ?? [];
    if (account === undefined) return worker.fetch(request, env, ctx);
    faults.set(account, await request.json());
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;
