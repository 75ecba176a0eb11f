import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import { type BytesRequest, serveBytes } from './serve-bytes.ts';

/**
 * Serves a static asset with range support, which video elements require. Static assets do not support ranges, so it is read
 * whole.
 * @param asset Null if no asset has that name.
 * @param hint Names a list of the available assets.
 * @throws Problem not_found, range_not_satisfiable
 */
export async function serveAsset(
  context: Context,
  asset: { path: string; mediaType: string } | null,
  hint: string,
  request: BytesRequest,
): Promise<Response> {
  const found = asset && (await context.assets.fetch(`${context.config.PUBLIC_URL}${asset.path}`));
  const etag = found?.headers.get('etag')?.replace(/^W\//, '');
  if (!asset || found?.status !== 200 || !etag) throw new Problem('not_found', hint);
  const bytes = await found.arrayBuffer();
  const response = await serveBytes(request, {
    size: bytes.byteLength,
    etag,
    headers: {
      'content-type': asset.mediaType,
      'cache-control': 'public, max-age=86400',
      'access-control-allow-origin': '*',
    },
    read: async (range) => {
      const part = range ? bytes.slice(range.offset, range.offset + range.length) : bytes;
      return new Response(part).body;
    },
  });
  if (!response) throw new Error('the asset has no body');
  return response;
}
