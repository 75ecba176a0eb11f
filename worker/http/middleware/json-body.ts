import { Problem } from '../../lib/problem.ts';
import { readText } from '../../lib/read-text.ts';

const MAX_BODY_BYTES = 256 * 1024;

/**
 * The JSON body of a request, read up to 256 KB.
 * @throws Problem unsupported_media_type, request_too_large, invalid_json
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(type)) throw new Problem('unsupported_media_type');
  const text = await readText(request, MAX_BODY_BYTES);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem('invalid_json', jsonMistake(error));
  }
}

/** The position of the mistake, if the engine reports one. Its message is not returned because it may quote the body. */
function jsonMistake(error: unknown): string {
  const [, line, column] = /\(line (\d{1,9}) column (\d{1,9})\)/.exec(String(error)) ?? [];
  if (line) return `The request body is not valid JSON: line ${line}, column ${column}.`;
  const cut = /end of JSON input|Unterminated/.test(String(error));
  return cut ? 'The JSON in the request body is incomplete.' : 'The request body is not valid JSON.';
}
