import fc from 'fast-check';
import { resolved, type Schema } from './routes.ts';

/** What callers have tried on services like this one, whatever the field. */
export const hostile: unknown[] = [
  '',
  ' ',
  "'",
  '"; rm -rf / #',
  "it's:a\\test%{pts}",
  '%{eif:1:d}',
  'a,movie=/etc/passwd',
  "[in]scale=1:1[out];movie='/etc/passwd'",
  'red;',
  '#fff\n',
  'file:///etc/passwd',
  'https://127.0.0.1/a',
  'https://media.example.com/a.mp4',
  '../../x',
  '-y',
  'a%d.png',
  'CON',
  'x'.repeat(300),
  '🎬'.repeat(10_000),
  'a\u0000b',
  'a\r\nb: c',
  '\ud800',
  '\u202e4pm.exe',
  '$' + '{jndi:ldap://127.0.0.1/a}',
  "' or 1=1 --",
  '1e999',
  'NaN',
  '-00:00:01',
  '99:99:99.999999',
  -1,
  0,
  -0,
  0.1 + 0.2,
  1e308,
  -1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  4294967296,
  true,
  null,
  [],
  {},
  [[[[]]]],
  ['https://media.example.com/a.mp4', null],
  { toString: 1, constructor: null },
  { length: 1e9 },
];

const addresses = [
  'https://media.example.com/a.mp4',
  'https://media.example.com/b.webm?token=secret#t=1',
  'https://xn--mnchen-3ya.example.com/%E2%82%AC',
  'https://93.184.216.34/a',
  'https://127.0.0.1/a',
  'https://[::1]/a',
  'http://media.example.com/a.mp4',
  'ftp://media.example.com/a',
];

/** Values that fit a schema, as far as JSON Schema can say. */
export function fitting(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  const { anyOf, oneOf, type } = schema;
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map(fitting));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => fitting({ ...schema, type: one })));
  switch (type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer(bounds(schema, 100_000));
    case 'number':
      return fc.double({ ...bounds(schema, 100_000), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { minItems = 0, maxItems = 4, items = {} } = schema;
      return fc.array(fitting(items), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 4)),
      });
    }
    case 'object':
      return object(schema);
    default:
      return fc.jsonValue();
  }
}

function text({ pattern, format, minLength = 0, maxLength = 60, ...schema }: Schema): fc.Arbitrary<string> {
  if (format === 'uri' || /url/i.test(JSON.stringify(schema))) return fc.constantFrom(...addresses);
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 60) });
}

function bounds(schema: Schema, far: number): { min: number; max: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const min = minimum ?? exclusiveMinimum ?? -far;
  return { min, max: Math.max(min, maximum ?? exclusiveMaximum ?? far) };
}

function object({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, fitting(field)]),
  );
  const named = fc.record(fields, { requiredKeys: required });
  if (typeof additionalProperties !== 'object') return named;
  const others = fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), fitting(additionalProperties), {
    maxKeys: 5,
  });
  return fc.tuple(named, others).map(([one, other]) => ({ ...other, ...one }));
}

/** The places of a value: paths of keys to everything in it, itself first. */
function places(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, below]) => places(below, [...path, key]))];
}

function changed(value: unknown, [key, ...rest]: string[], change: (at: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const copy: object = Array.isArray(value) ? [...value] : { ...Object(value) };
  const below = changed(Reflect.get(copy, key), rest, change);
  if (below === undefined) Reflect.deleteProperty(copy, key);
  else
    Object.defineProperty(copy, key, { value: below, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** A value with one to three places of it replaced, removed, wrapped or added to. */
export function mutated(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...hostile).map((other) => () => other) },
    { weight: 2, arbitrary: fc.constant(() => undefined) },
    { weight: 1, arbitrary: fc.constant((at: unknown) => [at]) },
    { weight: 1, arbitrary: fc.constant((at: unknown) => JSON.stringify(at)) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('surprise', '__proto__', 'constructor', 'url', '')
        .map((name) => (at: unknown) => ({ ...Object(at), [name]: 1 })),
    },
    { weight: 1, arbitrary: fc.jsonValue().map((other) => () => other) },
  );
  const step = fc.tuple(fc.nat(), change);
  return fc.tuple(value, fc.array(step, { minLength: 1, maxLength: 3 })).map(([start, steps]) =>
    steps.reduce<unknown>((at, [place, how]) => {
      const all = places(at);
      return changed(at, all[place % all.length] ?? [], how);
    }, start),
  );
}
