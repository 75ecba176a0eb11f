import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import { type BytesRequest, serveBytes } from './serve-bytes.ts';

/**
 * A static asset that players ask for by range. It is read whole, since static assets know no ranges and a video element
 * insists on them.
 * @param asset Null where there is none of that name.
 * @param hint What lists the names there are.
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
  if (!response) throw new Error('an asset without a body');
  return response;
}
