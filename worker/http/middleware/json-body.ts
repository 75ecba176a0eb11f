import { Problem } from '../../lib/problem.ts';
import { readText } from '../../lib/read-text.ts';
import { MAX_JSON_BYTES, parseJson } from '../../lib/text/parse-json.ts';

/**
 * The JSON body of a request.
 * @param most Bytes to read at most.
 * @throws Problem unsupported_media_type, request_too_large, invalid_json
 */
export async function readJson(request: Request, most = MAX_JSON_BYTES): Promise<unknown> {
  checkType(request);
  return parseJson(await readText(request, most));
}

/** As `readJson`, of a request whose body may be left out; then it is an empty object. */
export async function readOptionalJson(request: Request): Promise<unknown> {
  const text = await readText(request, MAX_JSON_BYTES);
  if (text === '') return {};
  checkType(request);
  return parseJson(text);
}

function checkType({ headers }: Request): void {
  const type = headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(type)) throw new Problem('unsupported_media_type');
}
