import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { assetVersion } from '../../services/docs/asset-versions.ts';

const forever = { 'cache-control': 'public, max-age=31536000, immutable' };
const REFERENCE = /(?<=(?:href|src)=")\/(?:static|search)\/[\w.-]+(?=")/g;

/** Puts the version of each static file into its address on a page. Browsers keep a file for as long as it is that one. */
export const versionedAssets: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (!c.res.headers.get('content-type')?.startsWith('text/html')) return;
  const page = await c.res.text();
  const paths = [...new Set(page.match(REFERENCE))];
  const context = c.get('context');
  const versions = new Map(
    await Promise.all(paths.map(async (path) => [path, await assetVersion(context, path)] as const)),
  );
  const text = page.replace(REFERENCE, (path) => {
    const version = versions.get(path);
    return version ? `${path}?v=${version}` : path;
  });
  c.res = new Response(text, c.res);
};

/** How long a file may be kept. @param asked The version in the address, if any. @param version The file's own. */
export function assetCaching(asked: string | undefined, version: string | null): Record<string, string> {
  return asked !== undefined && asked === version ? forever : {};
}
