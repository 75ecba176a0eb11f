import { Problem } from '../../lib/problem.ts';

const MAX_BODY_BYTES = 256 * 1024;

/**
 * The JSON body of a request, read up to 256 KB.
 * @throws Problem unsupported_media_type, request_too_large, invalid_json
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(type)) throw new Problem('unsupported_media_type');
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem('invalid_json', error instanceof Error ? error.message : undefined);
  }
}

/** @throws Problem request_too_large */
export async function readText(request: Request, limit: number = MAX_BODY_BYTES): Promise<string> {
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
