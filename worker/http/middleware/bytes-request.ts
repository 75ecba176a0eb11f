import type { Context as HonoContext } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import type { BytesRequest } from '../../services/files/serve-bytes.ts';

/** The parts of a request that decide which bytes of a file are sent. */
export function bytesRequest(c: HonoContext<AppEnv>): BytesRequest {
  return { method: c.req.method === 'HEAD' ? 'HEAD' : 'GET', header: (name) => c.req.header(name) };
}
