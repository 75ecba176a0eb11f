import { Problem } from '../problem.ts';
import { jsonMistake } from './json-mistake.ts';

/** Maximum size of a request in JSON. */
export const MAX_JSON_BYTES = 256 * 1024;

/**
 * Parses a request.
 * @throws Problem invalid_json
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', whatIsWrong(text));
  }
}

/** Never quotes the body, which may contain secrets. */
function whatIsWrong(text: string): string {
  if (text.trim() === '') return 'The request body is empty. Send a JSON object.';
  const { at, advice } = jsonMistake(text);
  if (at >= text.length) return 'The JSON in the request body is incomplete.';
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  const place = `The request body is not valid JSON: line ${line}, column ${column}.`;
  return advice === null ? place : `${place} ${advice}`;
}
