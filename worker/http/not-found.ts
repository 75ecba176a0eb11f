import type { Context as HonoContext } from 'hono';
import { accepts } from 'hono/accepts';
import type { AppEnv } from '../app-env.ts';
import { withFoot } from './docs/foot.ts';
import { notFoundPage } from './docs/not-found-page.ts';
import { pageHeaders } from './middleware/page-headers.ts';

/** Whether a page is expected rather than JSON: a browser opens an address. */
export function wantsPage(c: HonoContext<AppEnv>): boolean {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return false;
  const supports = ['application/json', 'text/html'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === 'text/html';
}

/** The page for a path at which there is nothing. */
export async function pageNotFound(c: HonoContext<AppEnv>): Promise<Response> {
  const text = withFoot(await notFoundPage(c.req.path), c.get('context').config);
  await pageHeaders(c, async () => {
    c.res = await c.html(text, 404, { vary: 'Accept' });
  });
  return c.res;
}
