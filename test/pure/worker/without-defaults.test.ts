import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { withoutDefaults } from '../../../worker/lib/without-defaults.ts';

type Request = Record<string, unknown>;
type Parsed = { received: z.ZodObject };

const withNested: Partial<Record<string, Request[]>> = {
  merge_urls: [
    {
      video_urls: ['https://a.example/1.mp4', { url: 'https://a.example/2.mp4', start: '00:00:01' }],
      transitions: [{ type: 'fade', duration: 0.5 }],
    },
  ],
  captions_auto: [
    { video_url: 'https://a.example/1.mp4', style: {}, exclude_ranges: [{ start: 1, end: 2 }] },
    { video_url: 'https://a.example/1.mp4', style: { color: '#ff0000' }, metadata: { to: 'me' } },
  ],
  edit_by_text: [
    {
      video_url: 'https://a.example/1.mp4',
      remove: { fillers: true },
      words: [{ text: 'so', start: 0, end: 1 }],
    },
  ],
  visualize: [{ audio_url: 'https://a.example/1.mp3', captions: { style: {} } }],
};

/** What a transcoder parses an input with. */
const receivedBy = (name: string) =>
  (operations as unknown as Record<string, Parsed>)[name]?.received as z.ZodObject;

const requestsOf = (name: (typeof operationNames)[number]): Request[] => [
  ...operations[name].examples.map(({ input }) => input as Request),
  ...(withNested[name] ?? []),
];

/** As it arrives. */
const sent = (schema: z.ZodObject, parsed: unknown) =>
  JSON.parse(JSON.stringify(withoutDefaults(schema, parsed))) as Request;

/** Where a schema has a default. */
function defaultsOf(schema: z.core.$ZodType, path = ''): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'default':
      return [path, ...defaultsOf(def.innerType, path)];
    case 'optional':
    case 'nullable':
      return defaultsOf(def.innerType, path);
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => defaultsOf(field, `${path}/${name}`));
    case 'array':
      return defaultsOf(def.element, `${path}/*`);
    case 'union':
      return def.options.flatMap((option) => defaultsOf(option, `${path}|`));
    case 'record':
      return defaultsOf(def.valueType, `${path}{}`);
    default:
      return [];
  }
}

describe.each(operationNames)('the input of a job of %s', (name) => {
  const schema = receivedBy(name);

  it('parses to the input of the task, whatever the request has', () => {
    const requests = requestsOf(name);
    const given = requests.flatMap((request) => Object.entries(request));
    let parsed = 0;
    const check = (request: Request) => {
      const { data } = schema.safeParse(request);
      if (!data) return;
      parsed += 1;
      expect(schema.parse(sent(schema, data))).toEqual(JSON.parse(JSON.stringify(data)));
    };
    for (const request of requests) check(request);
    expect(parsed).toBe(requests.length);
    const some = fc.tuple(fc.constantFrom(...requests), fc.subarray(given));
    fc.assert(fc.property(some, ([request, more]) => check({ ...request, ...Object.fromEntries(more) })));
  });

  it('is taken by an older transcoder, which does not know a field of which the request has the default', () => {
    for (const request of requestsOf(name)) {
      const input = sent(schema, schema.parse(request));
      for (const field of Object.keys(schema.shape)) {
        if (field in request || schema.shape[field]?.safeParse(undefined).success === false) continue;
        const older = z.strictObject(
          Object.fromEntries(Object.entries(schema.shape).filter(([known]) => known !== field)),
        );
        expect(older.safeParse(input).error, field).toBeUndefined();
      }
    }
  });

  it('has no default where it could not be left out: in an alternative, or below a name that the caller chooses', () => {
    expect(defaultsOf(schema).filter((path) => /[|{]/.test(path))).toEqual([]);
  });
});

it('leaves out defaults of nested objects and of each item of an array, and keeps what is not known', () => {
  const inner = z.strictObject({ kind: z.string(), size: z.number().default(1) });
  const schema = z.strictObject({
    one: inner.default({ kind: 'a', size: 2 }),
    many: z.array(inner).optional(),
    none: inner.nullable().default(null),
  });
  const lean = (value: unknown) => withoutDefaults(schema, value);
  expect(lean({ one: { kind: 'a', size: 2 }, none: null })).toEqual({});
  expect(lean({ one: { kind: 'a', size: 1 }, none: { kind: 'b', size: 3 } })).toEqual({
    one: { kind: 'a' },
    none: { kind: 'b', size: 3 },
  });
  expect(
    lean({
      many: [
        { kind: 'a', size: 1 },
        { kind: 'b', size: 5 },
      ],
      gone: 1,
    }),
  ).toEqual({
    many: [{ kind: 'a' }, { kind: 'b', size: 5 }],
    gone: 1,
  });
  expect(lean({ many: null, one: 'text' })).toEqual({ many: null, one: 'text' });
});
