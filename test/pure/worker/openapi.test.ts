import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { errorEntry } from '../../../schema/api/errors.ts';
import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import { submissionErrors } from '../../../schema/operations/operation.ts';
import {
  componentSchemas,
  dataName,
  inputName,
  taskErrorsOf,
  wholeSchemas,
} from '../../../worker/http/docs/component-schemas.ts';
import { pascal, sharedSchemas } from '../../../worker/http/docs/shared-schemas.ts';
import { dereferenced } from '../../golden/dereferenced.ts';
import { changed, committedDocument } from '../../golden/documents.ts';
import { printJson } from '../../golden/print-json.ts';

interface Media {
  schema?: object;
  examples?: Record<string, { value: unknown }>;
}

interface Response {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, Media>;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, string[]>[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
  'x-output-data'?: { $ref: string };
  'x-task-errors'?: string[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string; description?: string }[];
  components: { schemas: Record<string, object>; responses: object; parameters: object };
}

const document = JSON.parse(committedDocument('openapi.json')) as Document;
const { paths } = dereferenced(document);
const entries = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'document');
const compiled = new Map<string, ValidateFunction>();

/** Answers of many operations have the same schema, and compiling one takes longer than its examples. */
function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate;
}

function mediaOf(operation: Operation): { place: string; media: Media }[] {
  const responses = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.values(content ?? {}).map((media) => ({ place: status, media })),
  );
  const requests = Object.values(operation.requestBody?.content ?? {}).map((media) => ({
    place: 'request',
    media,
  }));
  return [...requests, ...responses];
}

describe('the OpenAPI document', () => {
  it('is committed with the operations as they are declared today', () => {
    const declared = componentSchemas();
    const operationSchemas = operationNames.flatMap((name) => [inputName(name), dataName(name)]);
    for (const name of ['Task', 'TaskOutput', 'TaskError', 'ErrorCode', ...operationSchemas]) {
      expect(document.components.schemas[name], `${name}: ${changed}`).toEqual(declared[name]);
    }
  });

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(committedDocument('openapi.json')));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('has schemas that are valid, and references that resolve', () => {
    for (const name of Object.keys(document.components.schemas)) {
      expect(ajv.compile({ $ref: `document#/components/schemas/${name}` }), name).toBeTypeOf('function');
    }
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(refs.length).toBeGreaterThan(100);
    for (const ref of refs) {
      const target = ref.split('/').reduce<unknown>((at, key) => Reflect.get(Object(at), key), document);
      expect(target, ref).toBeDefined();
    }
  });

  it('has no shared component that nothing or only one place refers to', () => {
    const text = JSON.stringify(document);
    const uses = (place: string) => text.split(`"#/components/${place}"`).length - 1;
    const { responses, parameters } = document.components;
    const whole = wholeSchemas();
    for (const name of Object.keys(sharedSchemas)) {
      expect(whole, 'a shared schema must not replace another').not.toHaveProperty(name);
      expect(uses(`schemas/${name}`), name).toBeGreaterThan(1);
    }
    for (const name of Object.keys(parameters)) expect(uses(`parameters/${name}`), name).toBeGreaterThan(1);
    for (const name of Object.keys(responses)) expect(uses(`responses/${name}`), name).toBeGreaterThan(0);
  });

  it('has a tag with a description for every operation, and an id of its own', () => {
    const tagged = new Set(document.tags.map(({ name }) => name));
    for (const { name, operation } of entries) {
      expect(
        operation.tags.every((tag) => tagged.has(tag)),
        name,
      ).toBe(true);
      expect(operation.summary, name).toMatch(/\.$/);
    }
    expect(document.tags.every((tag) => tag.description)).toBe(true);
    const ids = entries.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe.each(entries)('$name', ({ path, operation }) => {
  it('has examples that fit the schema they stand at', () => {
    for (const { place, media } of mediaOf(operation)) {
      if (!media.schema) continue;
      const validate = validatorOf(media.schema);
      for (const [name, { value }] of Object.entries(media.examples ?? {})) {
        validate(value);
        expect(validate.errors, `${path} ${place} ${name}`).toBeNull();
      }
    }
  });

  it('has an example of every error, with its status, and the headers that come with it', () => {
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(response.headers).toHaveProperty('X-Request-Id');
      const problem = response.content?.['application/problem+json'];
      if (!problem) continue;
      const codes = Object.keys(problem.examples ?? {});
      expect(codes.length).toBeGreaterThan(0);
      for (const code of codes) {
        expect(errorEntry(code as never).status).toBe(Number(status));
        expect(problem.examples?.[code]?.value).toMatchObject({ code, status: Number(status) });
        expect(response.description).toContain(`\`${code}\``);
      }
      if (status === '429' || codes.includes('unavailable'))
        expect(response.headers).toHaveProperty('Retry-After');
    }
  });

  it('says whether it needs a key, and what happens without one', () => {
    const keyed = operation.security?.some((entry) => 'ApiKey' in entry) ?? false;
    expect('401' in operation.responses).toBe(keyed);
  });
});

describe.each(operationNames)('the operation %s', (name) => {
  const { path, examples, errors } = operations[name];
  const operation = paths[path]?.post;
  if (!operation) throw new Error(`${path} is not in the document`);

  it('stands with its named input and data, and every example of its own', () => {
    const body = operation.requestBody?.content['application/json'];
    expect(body?.schema).toEqual({ $ref: `#/components/schemas/${inputName(name)}` });
    expect(Object.values(body?.examples ?? {}).map(({ value }) => value)).toEqual(
      examples.map(({ input }) => input),
    );
    expect(operation['x-output-data']).toEqual({ $ref: `#/components/schemas/${dataName(name)}` });
  });

  it('documents every error its POST can give and every error its task can end in', () => {
    const given = Object.values(operation.responses).flatMap(({ content }) =>
      Object.keys(content?.['application/problem+json']?.examples ?? {}),
    );
    expect(given.sort()).toEqual([...submissionErrors].sort());
    for (const code of errors) {
      expect(operation['x-task-errors']).toContain(code);
      expect(operation.description).toContain(`\`${code}\``);
    }
    expect(operation['x-task-errors']).toEqual(taskErrorsOf(name).map(({ code }) => code));
  });

  it('has the headers of an accepted task', () => {
    expect(Object.keys(operation.responses['202']?.headers ?? {}).sort()).toEqual(
      [
        'Idempotent-Replayed',
        'Location',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Request-Id',
        'X-Spool-Version',
      ].sort(),
    );
  });

  it('judges values of every field as the service does', () => {
    const values = [
      -1,
      0,
      1,
      1.5,
      50,
      1e9,
      '',
      'x',
      '10',
      '00:01:10.5',
      '1:2:3:4',
      '12.5%',
      '9:16',
      '#a0b1c2',
    ];
    const others = [
      true,
      null,
      [],
      [1],
      ['1:00'],
      {},
      { a: 'b' },
      { a: 1 },
      { crf: 20 },
      'https://a.example/b.mp4',
    ];
    const shape: Record<string, { safeParse(value: unknown): { success: boolean } }> =
      operations[name].input.shape;
    for (const [field, schema] of Object.entries(shape)) {
      const pointer = `document#/components/schemas/${inputName(name)}/properties/${field}`;
      const validate = ajv.compile({ $ref: pointer });
      for (const value of [...values, ...others]) {
        expect([field, value, validate(value)]).toEqual([field, value, schema.safeParse(value).success]);
      }
    }
  });

  it('refuses a field that does not exist and too much metadata in the document too', () => {
    const validate = ajv.compile({ $ref: `document#/components/schemas/${inputName(name)}` });
    const [first] = examples;
    const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, '']));
    expect(validate(first?.input)).toBe(true);
    expect(validate({ ...first?.input, surprise: 1 })).toBe(false);
    expect(validate({ ...first?.input, metadata })).toBe(false);
  });
});

/** Operations that need more than MOST_LINES of the document, and what takes them. */
const longOperations: Partial<Record<OperationName, { lines: number; why: string }>> = {
  edit_by_text: {
    lines: 291,
    why: 'the ways to choose words, the decision list, and two lists of words in its data',
  },
  captions_auto: {
    lines: 460,
    why: '66 fields, eleven of them the style of the captions, four that of a word',
  },
  crop: { lines: 241, why: 'the path of a moving crop is in the request and in the result' },
  photo_animate: { lines: 260, why: '36 fields: how a photo moves is said for all photos and for each' },
  merge_urls: { lines: 210, why: 'twelve fields with a default, each a schema of its own' },
  silence_process: { lines: 230, why: 'thirteen fields with a default, each a schema of its own' },
  remux: { lines: 280, why: '13 tags that can be set, and what became of each track' },
  visualize: { lines: 360, why: 'its captions have the fields of /captions/auto' },
  redub_tts: { lines: 220, why: '35 fields, and each line comes back with what became of it' },
};
const MOST_LINES = 200;

describe('the length of the document', () => {
  const linesOf = (value: unknown) => printJson(value).split('\n').length - 1;

  const fieldsWithDefault = (name: OperationName) =>
    Object.keys(operations[name].input.shape)
      .map((field) => `${pascal(name)}${pascal(field)}`)
      .filter((field) => field in document.components.schemas);

  /** Its path and its own schemas; what it shares with others stands once, whoever uses it. */
  const ownLines = (name: OperationName) =>
    linesOf(document.paths[operations[name].path]) +
    linesOf(document.components.schemas[inputName(name)]) +
    fieldsWithDefault(name).reduce((sum, field) => sum + linesOf(document.components.schemas[field]), 0) +
    linesOf(document.components.schemas[dataName(name)]);

  it.each(operationNames)('grows by at most 200 lines with an operation such as %s', (name) => {
    const long = longOperations[name];
    expect(ownLines(name)).toBeLessThanOrEqual(long?.lines ?? MOST_LINES);
    if (long) expect(ownLines(name), 'it needs no exception').toBeGreaterThan(MOST_LINES);
  });

  it('repeats no response of an operation: each is a reference', () => {
    for (const { path } of operationNames.map((name) => operations[name])) {
      const { responses } = document.paths[path]?.post ?? {};
      for (const response of Object.values(responses ?? {})) expect(Object.keys(response)).toEqual(['$ref']);
    }
  });
});
