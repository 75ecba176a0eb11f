import type { Env } from '../../../worker/bindings.ts';
import worker from '../../../worker/index.ts';

export { Account, Fleet, Transcoder } from '../../../worker/index.ts';

/** The conformance suite cannot send an API key; it is added here. Set by `/conformance-key`. */
let key = '';

export default {
  ...worker,
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === '/conformance-key') {
      key = await request.text();
      return new Response(null, { status: 204 });
    }
    if (pathname !== '/mcp') return worker.fetch(request, env, ctx);
    const headers = new Headers(request.headers);
    headers.set('x-api-key', key);
    return worker.fetch(new Request(request, { headers }), env, ctx);
  },
} satisfies ExportedHandler<Env>;
