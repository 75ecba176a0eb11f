import type { Context as HonoContext } from 'hono';
import { accepts } from 'hono/accepts';
import type { App, AppEnv } from '../app-env.ts';
import { Problem } from '../lib/problem.ts';
import { allowedMethods, knownPaths } from './declare.ts';
import { withFoot } from './docs/foot.ts';
import { notFoundPage } from './docs/not-found-page.ts';
import { pageHeaders } from './middleware/page-headers.ts';
import { nearestPath } from './nearest-path.ts';

/** Whether a page is expected rather than JSON: a browser opens an address. */
export function wantsPage(c: HonoContext<AppEnv>): boolean {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return false;
  const supports = ['application/json', 'text/html'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === 'text/html';
}

/** What there may be instead of a path at which there is nothing. */
function meantBy(app: App, path: string): string | null {
  return nearestPath(path, (other) => allowedMethods(app, other).length > 0, knownPaths(app));
}

/** The problem for a path at which there is nothing. */
export function pathNotFound(c: HonoContext<AppEnv>, app: App): Problem {
  const meant = meantBy(app, c.req.path);
  return new Problem(
    'not_found',
    meant === null ? undefined : `There is nothing at this path. Did you mean \`${meant}\`?`,
  );
}

/** The page for a path at which there is nothing; the page itself if its address only has slashes too many. */
export async function pageNotFound(c: HonoContext<AppEnv>, app: App): Promise<Response> {
  const { path } = c.req;
  const meant = meantBy(app, path);
  if (meant !== null && path === meant.padEnd(path.length, '/') && allowedMethods(app, meant).includes('GET'))
    return c.redirect(`${meant}${new URL(c.req.url).search}`, 308);
  const text = withFoot(await notFoundPage(path), c.get('context').config);
  await pageHeaders(c, async () => {
    c.res = await c.html(text, 404, { vary: 'Accept' });
  });
  return c.res;
}
