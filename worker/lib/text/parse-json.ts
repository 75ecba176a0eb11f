import { Problem } from '../problem.ts';
import { halvedCharacter, jsonMistake, repeatedName } from './json-mistake.ts';

/** Maximum size of a request in JSON. */
export const MAX_JSON_BYTES = 256 * 1024;

/**
 * Parses a request.
 * @throws Problem invalid_json
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', whatIsWrong(text));
  }
  const halved = halvedCharacter(text);
  if (halved !== null) {
    throw new Problem(
      'invalid_json',
      `The request body has half of a character (a surrogate without its pair): ${placeOf(text, halved)}. Escape both halves or send the character itself.`,
    );
  }
  const repeated = repeatedName(text);
  if (repeated === null) return value;
  const place = placeOf(text, repeated);
  throw new Problem(
    'invalid_json',
    `The request body repeats a name within an object: ${place}. Give each name once.`,
  );
}

/** Never quotes the body, which may contain secrets. */
function whatIsWrong(text: string): string {
  if (text.trim() === '') return 'The request body is empty. Send a JSON object.';
  const { at, advice } = jsonMistake(text);
  if (at >= text.length) return 'The JSON in the request body is incomplete.';
  const place = `The request body is not valid JSON: ${placeOf(text, at)}.`;
  return advice === null ? place : `${place} ${advice}`;
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
}
