import type { Context } from '../context.ts';
import { parseRange } from '../lib/byte-range.ts';
import { Problem } from '../problem.ts';

/** A sample of the operator's, an object under `samples/` of the bucket; ranges are honoured. */
export async function sample(
  context: Context,
  name: string,
  method: 'GET' | 'HEAD',
  rangeHeader: string | undefined,
): Promise<Response> {
  const key = `samples/${name}`;
  const found = await context.files.size(key);
  if (!found) throw new Problem('not_found');
  const headers = new Headers({
    'content-type': found.mediaType,
    'accept-ranges': 'bytes',
    etag: found.etag,
    'x-content-type-options': 'nosniff',
  });
  const range = rangeHeader === undefined ? null : parseRange(rangeHeader, found.size);
  if (range === 'unsatisfiable') {
    throw new Problem('range_not_satisfiable', `The file has ${found.size} bytes.`, {
      headers: { 'content-range': `bytes */${found.size}` },
    });
  }
  const length = range ? range.end - range.start + 1 : found.size;
  headers.set('content-length', String(length));
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${found.size}`);
  const status = range ? 206 : 200;
  if (method === 'HEAD') return new Response(null, { status, headers });
  const stream = await context.files.read(key, range ? { offset: range.start, length } : undefined);
  if (!stream) throw new Problem('not_found');
  return new Response(stream.pipeThrough(new FixedLengthStream(length)), { status, headers });
}
