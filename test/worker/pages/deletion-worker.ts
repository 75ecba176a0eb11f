import type { Env } from '../../../worker/bindings.ts';
import worker, { Account as RealAccount } from '../../../worker/index.ts';

export { Fleet, Transcoder } from '../../../worker/index.ts';

/** The service with a fault at a boundary, which `POST /fault` sets: the bucket deletes nothing, or the account's object does not. */
let fault = '';

export class Account extends RealAccount {
  override async forget(): Promise<boolean> {
    if (fault === 'object') throw new Error('the object does not answer');
    return super.forget();
  }
}

function faulty(env: Env): Env {
  const files = new Proxy(env.FILES, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === 'delete' && fault === 'bucket') {
        return async () => {
          throw new Error('the bucket does not answer');
        };
      }
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...env, FILES: files };
}

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== '/fault') return worker.fetch(request, faulty(env), ctx);
    fault = await request.text();
    return new Response(null, { status: 204 });
  },
  scheduled: (controller, env) => worker.scheduled(controller, faulty(env)),
} satisfies ExportedHandler<Env>;
