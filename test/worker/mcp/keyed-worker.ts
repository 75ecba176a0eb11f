import type { Env } from '../../../worker/bindings.ts';
import worker from '../../../worker/index.ts';

type Fetch = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/** A Worker that adds an API key to requests to `/mcp`, because the conformance suite cannot. Set by `/conformance-key`. */
export function withKey(fetch: Fetch): ExportedHandler<Env> {
  let key = '';
  return {
    ...worker,
    async fetch(request, env, ctx) {
      const { pathname } = new URL(request.url);
      if (pathname === '/conformance-key') {
        key = await request.text();
        return new Response(null, { status: 204 });
      }
      if (pathname !== '/mcp') return fetch(request, env, ctx);
      const headers = new Headers(request.headers);
      headers.set('x-api-key', key);
      return fetch(new Request(request, { headers }), env, ctx);
    },
  };
}
