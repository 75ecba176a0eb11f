import type { Context as HonoContext } from 'hono';
import type { App, AppEnv, Counted } from './app-env.ts';
import { countAddress } from './services/account/request-limit.ts';

export type Handler = (c: HonoContext<AppEnv>) => Promise<Response> | Response;

/** Mounts a route that is not in the OpenAPI document. Every route is mounted here or in `declare`, so each has a limit. */
export function mount(
  app: App,
  { method, path, counted }: { method: string; path: string; counted: Counted },
  handler: Handler,
): void {
  app.on(method.toUpperCase(), path, async (c) => {
    c.set('counted', counted);
    if (counted === 'public') await countAddress(c.get('context'), (name) => c.req.header(name));
    return handler(c);
  });
}
