import type { Env } from '../../worker/bindings.ts';
import worker from '../../worker/index.ts';

export { Account, Fleet, Transcoder } from '../../worker/index.ts';

/**
 * The service with a clock that `POST /clock` sets and stops, so that as many requests as a test needs fall into one window,
 * however long the machine takes for them.
 */
const now = Date.now;

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== '/clock') return worker.fetch(request, env, ctx);
    const { stopped } = await request.json<{ stopped: boolean }>();
    const at = now();
    Date.now = stopped ? () => at : now;
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;
