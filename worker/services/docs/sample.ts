import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import { type BytesRequest, serveBytes } from '../files/serve-bytes.ts';

/**
 * Serves a sample of the operator: an object under `samples/` in the bucket.
 * @throws Problem not_found, range_not_satisfiable
 */
export async function sample(context: Context, name: string, request: BytesRequest): Promise<Response> {
  const key = `samples/${name}`;
  const found = await context.files.size(key);
  const response =
    found &&
    (await serveBytes(request, {
      size: found.size,
      etag: found.etag,
      headers: { 'content-type': found.mediaType },
      read: (range) => context.files.read(key, range),
    }));
  if (!response) throw new Problem('not_found');
  return response;
}
