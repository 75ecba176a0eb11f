import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../harness.ts';
import { sampled } from '../sampled.ts';
import { type StandIn, startStandIn } from '../worker/stand-in.ts';
import { fitting, hostile, mutated } from './bodies.ts';
import { document, fill, type Route, routes, type Schema } from './routes.ts';

let service: Service;
let transcoder: StandIn;
const counts = { requests: 0, accepted: 0, refused: 0 };

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string, schema: Schema): ValidateFunction {
  const known = validators.get(name);
  if (known) return known;
  const local = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const made = ajv.compile(JSON.parse(local));
  validators.set(name, made);
  return made;
}

/** Why an answer is not what the document promises for this route; null where it is. */
async function broken(route: Route, response: Response): Promise<string | null> {
  const { status, headers } = response;
  const text = await response.text();
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  counts.requests += 1;
  counts[status < 400 ? 'accepted' : 'refused'] += 1;
  // Of the service itself nothing is to be heard but that a transcoder is missing.
  if (status >= 500 && !(status === 503 && route.path === '/readyz')) return `status ${status}: ${text}`;
  if (status === 405 || (status === 404 && /"code":"not_found"/.test(text))) {
    return validatorOf('Problem', { $ref: '#/components/schemas/Problem' })(JSON.parse(text)) ? null : text;
  }
  const promised = route.operation?.responses[status];
  if (!promised) return `status ${status} is not documented: ${text.slice(0, 300)}`;
  if (!promised.content) return text === '' ? null : `a body where none is documented: ${text.slice(0, 300)}`;
  const content = promised.content[type];
  if (!content) return `status ${status} with ${type} is not documented: ${text.slice(0, 300)}`;
  if (!/json/.test(type) || !content.schema) return null;
  const validate = validatorOf(`${route.method} ${route.path} ${status} ${type}`, content.schema);
  if (validate(JSON.parse(text))) return null;
  return `${JSON.stringify(validate.errors?.slice(0, 2))} in ${text.slice(0, 600)}`;
}

/** Sends each of many at once, again and again, under an account of its own each time. */
async function storm<T>(
  runs: number,
  values: fc.Arbitrary<T>,
  send: (value: T, key: string) => Promise<string | null>,
) {
  await fc.assert(
    fc.asyncProperty(fc.array(values, { minLength: 20, maxLength: 20 }), async (batch) => {
      const { key } = await service.createAccount('elite');
      const wrong = await Promise.all(
        batch.map(async (value) => {
          const fault = await send(value, key);
          return fault === null ? [] : [{ value, fault }];
        }),
      );
      expect(wrong.flat().slice(0, 1)).toEqual([]);
    }),
    { numRuns: runs, endOnFailure: true },
  );
}

/** Values for a header: bytes that HTTP can carry. */
const headerText = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 40 }).map((text) => text.replace(/[^\x20-\x7e]/g, '~')),
  fc.constantFrom(
    'a'.repeat(300),
    'bytes=0-',
    'bytes=-1',
    'bytes=5-2',
    'bytes=0-1,3-4',
    '*',
    '"x"',
    '\xff',
    '0',
  ),
);

/** Whatever fits into an address. */
const short = hostile
  .filter((one) => typeof one !== 'object')
  .map(String)
  .filter((one) => one.length < 400);

const described = routes.filter((route) => route.operation !== null);
const withBody = described.filter(({ operation, path }) => operation?.requestBody && path !== '/mcp');

const bodyOf = ({ operation }: Route) => {
  const content = operation?.requestBody?.content['application/json'];
  const examples = Object.values(content?.examples ?? {}).map(({ value }) => value);
  const valid = fitting(content?.schema ?? {});
  const near = examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), valid) : valid;
  return fc.oneof(
    { weight: 1, arbitrary: valid },
    { weight: 1, arbitrary: near },
    { weight: 3, arbitrary: mutated(near) },
  );
};

describe('any body', () => {
  test.each(sampled(withBody, 2))('at $path is answered as documented', async (route) => {
    const headers = fc.record({ 'idempotency-key': headerText }, { requiredKeys: [] });
    await storm(3, fc.tuple(bodyOf(route), headers), async ([body, more], key) => {
      const init = {
        method: 'POST',
        key,
        body: JSON.stringify(body) ?? '',
        headers: { ...more, 'content-type': 'application/json' },
      };
      return broken(route, await service.request(route.path, init));
    });
  });

  test('that is no JSON, or of another type, is too', async () => {
    const bytes = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json().map((text) => text.slice(1)),
    );
    const type = fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x+json',
      'multipart/form-data',
      '',
    );
    await storm(
      3,
      fc.tuple(fc.constantFrom(...withBody), bytes, type),
      async ([route, body, contentType], key) => {
        const init = { method: 'POST', key, body, headers: { 'content-type': contentType } };
        return broken(route, await service.request(route.path, init));
      },
    );
  });
});

const others = described.filter(({ operation }) => !operation?.requestBody);
const idText = fc.oneof(
  fc.stringMatching(/^(task|whe|whd)_[0-9a-hjkmnp-tv-z]{26}$/),
  fc.constantFrom(
    'task_',
    '%00',
    '..%2f..',
    'a'.repeat(2000),
    '%F0%9F%8E%AC',
    "'",
    '%',
    'sample.mp4',
    'fade.mp4',
  ),
);

describe('any path, query and header', () => {
  test.each(sampled(others, 2))('at $method $path is answered as documented', async (route) => {
    const parameters = (route.operation?.parameters ?? []).filter((one) => one.in !== 'path');
    const value = (schema: Schema) => fc.oneof(fitting(schema).map(String), fc.constantFrom(...short));
    const fields = (place: string) =>
      fc.record(
        Object.fromEntries(
          parameters
            .filter((one) => one.in === place)
            .map((one) => [one.name, place === 'header' ? headerText : value(one.schema)]),
        ),
        { requiredKeys: [] },
      );
    const extra = fc.record(
      { range: headerText, 'if-none-match': headerText, accept: headerText },
      { requiredKeys: [] },
    );
    const given = fc.record({
      id: idText,
      query: fields('query'),
      headers: fields('header'),
      extra,
      keyed: fc.boolean(),
    });
    await storm(1, given, async ({ id, query, headers, extra: more, keyed }, key) => {
      // A wait is for the tests of waits.
      const { wait_seconds: wait, ...rest } = query as Record<string, string>;
      const search = new URLSearchParams({
        ...rest,
        ...(wait?.startsWith('-') ? { wait_seconds: wait } : {}),
      });
      const path = fill(route.path, () => id);
      const init = {
        method: route.method,
        headers: { ...headers, ...more } as Record<string, string>,
        ...(keyed ? { key } : {}),
      };
      return broken(route, await service.request(`${path}?${search}`, init));
    });
  });
});

describe('any call over MCP', () => {
  const route = described.find(({ path }) => path === '/mcp');

  test('is answered as a result, an error of the protocol, or a problem', async () => {
    if (!route) throw new Error('no /mcp');
    const operations = withBody.filter(({ path }) => !path.startsWith('/webhooks'));
    const call = fc.constantFrom(...operations).chain((operation) =>
      bodyOf(operation).map((args) => ({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: operation.operation?.operationId, arguments: args },
      })),
    );
    await storm(4, fc.oneof(call, mutated(call)), async (body, key) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      return broken(
        route,
        await service.request('/mcp', { method: 'POST', key, body: JSON.stringify(body) ?? '', headers }),
      );
    });
  });
});

test('the service is as well as before', async () => {
  const { key } = await service.createAccount('elite');
  const made = await service.submit('/probe', { url: 'https://media.example.com/a.mp4' }, key);
  expect((await transcoder.jobOf(made.id)).operation).toBe('probe');
  expect(counts.accepted).toBeGreaterThan(50);
  console.log(
    `${counts.requests} fuzzed requests: ${counts.accepted} accepted, ${counts.refused} refused, no 5xx`,
  );
});
