import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../../worker/lib/problem.ts';
import { halvedCharacter, jsonMistake, repeatedName } from '../../../worker/lib/text/json-mistake.ts';
import { parseJson } from '../../../worker/lib/text/parse-json.ts';

function refusal(text: string): string {
  try {
    parseJson(text);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return (error as Problem).message;
  }
}

const at = (line: number, column: number) =>
  `The request body is not valid JSON: line ${line}, column ${column}.`;

describe('JSON that is refused', () => {
  test.each([
    ['', 'The request body is empty. Send a JSON object.'],
    [' \n', 'The request body is empty. Send a JSON object.'],
    ['{"a": 1', 'The JSON in the request body is incomplete.'],
    ['{"a": "x', 'The JSON in the request body is incomplete.'],
    ['{"a":', 'The JSON in the request body is incomplete.'],
    ['{"a": 1,\n "b": 2,\n}', `${at(3, 1)} Remove the comma before it.`],
    ['[1, 2,]', `${at(1, 7)} Remove the comma before it.`],
    ["{'a': 1}", `${at(1, 2)} Strings and names need double quotes.`],
    ['{"a": \'x\'}', `${at(1, 7)} Strings and names need double quotes.`],
    ['{a: 1}', `${at(1, 2)} Names need double quotes.`],
    ['{"start": NaN}', `${at(1, 11)} JSON has no NaN and no Infinity. Leave the field out.`],
    ['{"start": -Infinity}', `${at(1, 11)} JSON has no NaN and no Infinity. Leave the field out.`],
    ['{"duck": True}', `${at(1, 10)} Use true, false or null, in lower case.`],
    ['{"duck": None}', `${at(1, 10)} Use true, false or null, in lower case.`],
    ['// a cut\n{"a": 1}', `${at(1, 1)} JSON has no comments.`],
    ['{"a": 1} {"b": 2}', `${at(1, 10)} Send one JSON object and nothing after it.`],
    ['{"a": 1 "b": 2}', `${at(1, 9)} Put a comma or \`}\` before it.`],
    ['[1 2]', `${at(1, 4)} Put a comma or \`]\` before it.`],
    ['{"a" 1}', `${at(1, 6)} Put a colon between a name and its value.`],
    ['{"a": "x\ny"}', `${at(1, 9)} Write a line break in a string as \\n and a tab as \\t.`],
    ['{"a": "C:\\video"}', `${at(1, 10)} Write a backslash in a string as \\\\.`],
    ['{"a": 01}', `${at(1, 8)} Put a comma or \`}\` before it.`],
    ['{"a": ?}', at(1, 7)],
    ['{\0"\0a\0"\0', `${at(1, 2)} Send the JSON in UTF-8, not in UTF-16.`],
    ['\0{\0"\0a\0"', `${at(1, 1)} Send the JSON in UTF-8, not in UTF-16.`],
  ])('%j: %s', (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  test('is never quoted', () => {
    expect(refusal('{"key": spool_live_secret}')).not.toContain('secret');
  });
});

test('a character of which one half is missing is refused, where it stands', () => {
  expect(refusal('{"a": 1,\n "b": "x\\ud83d"}')).toBe(
    'The request body has half of a character (a surrogate without its pair): line 2, column 9. Escape both halves or send the character itself.',
  );
  const part = fc.constantFrom(
    'a',
    '😀',
    '\\ud83d',
    '\\uDE00',
    '\\n',
    '\\\\',
    '\\\\ud83d',
    '\\"',
    '\\u00e9',
    'ude00',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = `{"${parts.join('')}": ["${parts.join('')}"]}`;
      const [name = ''] = Object.keys(JSON.parse(text));
      expect(halvedCharacter(text) === null).toBe(name.isWellFormed());
    }),
  );
});

test('a mistake is found in every text that is no JSON, and never before it', () => {
  const piece = fc.constantFrom(
    ...'{}[],:"\\ \n',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'null',
    'x',
    '"a"',
    '\\u00e9',
  );
  const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      try {
        JSON.parse(text);
        // The reader finds the end of a whole text.
        expect(jsonMistake(text)).toEqual({ at: text.length, advice: null });
      } catch {
        const { at: place } = jsonMistake(text);
        // With what comes before it alone, the text could still become JSON.
        const before = jsonMistake(text.slice(0, place));
        expect(before.at).toBe(place);
      }
    }),
    { numRuns: 5000 },
  );
});

describe('a name that an object has twice', () => {
  test.each([
    ['{"start": 0,\n "end": 4,\n "start": 3}', 'line 3, column 2'],
    ['{"metadata": {"a": "1", "a": "2"}}', 'line 1, column 25'],
    ['[{"b": 1}, {"b": [2, {"c": 3, "\\u0063": 4}]}]', 'line 1, column 31'],
    ['{"__proto__": 1, "__proto__": 2}', 'line 1, column 18'],
  ])('%j is refused', (text, place) => {
    expect(refusal(text)).toBe(
      `The request body repeats a name within an object: ${place}. Give each name once.`,
    );
  });

  type Tree = string | Tree[] | { entries: [string, Tree][] };
  const name = fc.constantFrom('a', 'b', 'a,b', '"', '\\"a', '{', 'é', '');
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      name,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.record({ entries: fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }) }),
    ),
  }));
  const printed = (value: Tree): string => {
    if (typeof value === 'string') return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
    return `{${value.entries.map(([key, inner]) => `${JSON.stringify(key)}: ${printed(inner)}`).join(', ')}}`;
  };
  const repeats = (value: Tree): boolean => {
    if (typeof value === 'string') return false;
    if (Array.isArray(value)) return value.some(repeats);
    const names = value.entries.map(([key]) => key);
    return new Set(names).size < names.length || value.entries.some(([, inner]) => repeats(inner));
  };

  test('is found at any depth, and no other is', () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(repeatedName(printed(value)) !== null).toBe(repeats(value));
      }),
      { numRuns: 2000 },
    );
  });
});
