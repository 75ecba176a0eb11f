import { Problem } from '../problem.ts';

/** Maximum size of a request in JSON. */
export const MAX_JSON_BYTES = 256 * 1024;

/**
 * Parses a request.
 * @throws Problem invalid_json
 */
export function parseJson(text: string): unknown {
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
