import { Problem } from './problem.ts';

/**
 * A body that is too large is still read up to this multiple of the limit, and discarded: a client that is answered while it
 * sends may see a broken connection instead of the answer.
 */
const DISCARDED = 2;

/** The body of a request as text, of at most `limit` bytes. @throws Problem request_too_large */
export async function readText(request: Request, limit: number): Promise<string> {
  const most = DISCARDED * limit;
  if (Number(request.headers.get('content-length') ?? 0) > most) throw new Problem('request_too_large');
  if (!request.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > most) break;
    if (size <= limit) text += decoder.decode(chunk, { stream: true });
  }
  if (size > limit) throw new Problem('request_too_large');
  return text + decoder.decode();
}
