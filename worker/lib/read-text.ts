import { Problem } from './problem.ts';

/**
 * A body that is too large is still read up to this multiple of the limit, and discarded: a client that is answered while it
 * sends may see a broken connection instead of the answer.
 */
const DISCARDED = 2;

/** The body of a request as text, of at most `limit` bytes; bytes that are not UTF-8 are replaced. @throws Problem request_too_large */
export async function readText(request: Request, limit: number): Promise<string> {
  return (await readBody(request, limit, new TextDecoder())) ?? '';
}

/** The same; null if the body is not UTF-8. @throws Problem request_too_large */
export async function readUtf8(request: Request, limit: number): Promise<string | null> {
  return readBody(request, limit, new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }));
}

async function readBody(request: Request, limit: number, decoder: TextDecoder): Promise<string | null> {
  const most = DISCARDED * limit;
  if (Number(request.headers.get('content-length') ?? 0) > most) throw new Problem('request_too_large');
  if (!request.body) return '';
  let text: string | null = '';
  const add = (chunk?: Uint8Array) => {
    try {
      if (text !== null) text += decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      text = null;
    }
  };
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > most) break;
    if (size <= limit) add(chunk);
  }
  if (size > limit) throw new Problem('request_too_large');
  add();
  return text;
}
