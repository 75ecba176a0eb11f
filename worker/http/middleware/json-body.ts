import { Problem } from '../../lib/problem.ts';
import { readUtf8 } from '../../lib/read-text.ts';
import { MAX_JSON_BYTES, parseJson } from '../../lib/text/parse-json.ts';

/**
 * The JSON body of a request.
 * @param most Bytes to read at most.
 * @throws Problem unsupported_media_type, request_too_large, invalid_json
 */
export async function readJson(request: Request, most = MAX_JSON_BYTES): Promise<unknown> {
  checkType(request);
  return parseJson(await readJsonText(request, most));
}

/** As `readJson`, of a request whose body may be left out; then it is an empty object. */
export async function readOptionalJson(request: Request): Promise<unknown> {
  const text = await readJsonText(request, MAX_JSON_BYTES);
  if (text === '') return {};
  checkType(request);
  return parseJson(text);
}

/** JSON is UTF-8 (RFC 8259). Other bytes would become replacement characters in titles and captions. */
async function readJsonText(request: Request, most: number): Promise<string> {
  const text = await readUtf8(request, most);
  if (text !== null) return text;
  const compressed = (request.headers.get('content-encoding') ?? 'identity') !== 'identity';
  throw new Problem(
    'invalid_json',
    compressed
      ? 'The request body is compressed. Send it uncompressed, without Content-Encoding.'
      : 'The request body is not valid UTF-8. Send the JSON in UTF-8, uncompressed.',
  );
}

function checkType({ headers }: Request): void {
  const type = headers.get('content-type') ?? '';
  if (/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(type)) return;
  throw new Problem('unsupported_media_type', otherTypes.find(([begins]) => begins.test(type))?.[1]);
}

/** What senders of other types probably want. */
const otherTypes: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'The Content-Type header is missing. Send Content-Type: application/json.'],
  [
    /^application\/x-www-form-urlencoded\b/i,
    'The Content-Type is application/x-www-form-urlencoded, which curl sends unless another one is given. Send a JSON object with Content-Type: application/json.',
  ],
  [
    /^(?:multipart|video|audio|image)\/|^application\/octet-stream\b/i,
    'The body is a file or a form. Send a JSON object with Content-Type: application/json. For a file of your own, create an upload with POST /uploads, and use `upload:<upload_id>`.',
  ],
];
