import { Problem } from './problem.ts';

/** The body of a request as text, read up to `limit` bytes. @throws Problem request_too_large */
export async function readText(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new Problem('request_too_large');
  if (!request.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw new Problem('request_too_large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
