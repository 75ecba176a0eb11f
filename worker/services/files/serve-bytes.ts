import { type ByteRange, parseRange } from '../../lib/byte-range.ts';
import { Problem } from '../../lib/problem.ts';

export interface BytesRequest {
  method: 'GET' | 'HEAD';
  header: (name: string) => string | undefined;
}

interface StoredBytes {
  size: number;
  /** A strong entity tag, with its quotes. */
  etag: string;
  headers: Record<string, string>;
  /** The bytes of a range, or all of them; null if the file is gone. */
  read: (range?: { offset: number; length: number }) => Promise<ReadableStream | null>;
}

/**
 * Answers GET and HEAD with the conditional and range requests of RFC 9110; reads only the bytes that are sent.
 * @returns null if the file is gone.
 * @throws Problem range_not_satisfiable
 */
export async function serveBytes(request: BytesRequest, stored: StoredBytes): Promise<Response | null> {
  const { size, etag } = stored;
  const headers = new Headers({
    ...stored.headers,
    etag,
    'accept-ranges': 'bytes',
    // Players on other sites may show them: the address or link is the permission.
    'cross-origin-resource-policy': 'cross-origin',
  });
  const ifNoneMatch = request.header('if-none-match');
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, etag))
    return new Response(null, { status: 304, headers });

  const range = rangeOf(request, etag, size);
  const length = range ? range.end - range.start + 1 : size;
  headers.set('content-length', String(length));
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${size}`);
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const stream = await stored.read(range ? { offset: range.start, length } : undefined);
  return stream && new Response(stream.pipeThrough(new FixedLengthStream(length)), { status, headers });
}

function matches(header: string, etag: string): boolean {
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}

function rangeOf(request: BytesRequest, etag: string, size: number): ByteRange | null {
  // Range is defined only for GET (RFC 9110, section 14.2).
  const header = request.method === 'GET' ? request.header('range') : undefined;
  const condition = request.header('if-range');
  if (header === undefined || (condition !== undefined && condition !== etag)) return null;
  const range = parseRange(header, size);
  if (range === 'unsatisfiable') {
    throw new Problem('range_not_satisfiable', `The file has ${size} bytes. Request a range within them.`, {
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  return range;
}
