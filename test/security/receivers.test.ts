import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { type Delivery, deliveryList } from '../../schema/api/webhook.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { inputName } from '../../worker/http/docs/component-schemas.ts';
import { committedDocument } from '../golden/documents.ts';
import { exampleOf, type Service, sleep, startService } from '../harness.ts';
import { type Canary, startCanary } from './canary.ts';
import { startDnsOverHttps } from './name-server.ts';
import { hosts, nameCases, textCases } from './urls.ts';

let service: Service;
let canary: Canary;
let dns: Awaited<ReturnType<typeof startDnsOverHttps>>;
let tried = 0;

beforeAll(async () => {
  canary = await startCanary();
  dns = await startDnsOverHttps(hosts);
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', WEBHOOK_DNS_URL: dns.url });
});
afterAll(async () => {
  await service.close();
  await Promise.all([canary.close(), dns.close()]);
});

describe('a receiver of webhooks at', () => {
  test.each(textCases)('$name is refused wherever one is named', async ({ url }) => {
    const { key } = await service.createAccount('basic');
    for (const [path, json] of [
      ['/webhooks/endpoints', { url }],
      ['/webhooks/test', { url }],
      ['/probe', { url: 'https://media.example.com/a.mp4', callback_url: url }],
    ] as const) {
      const response = await service.request(path, { key, json });
      const { code, errors } = problemSchema.parse(await response.json());
      expect([path, code]).toEqual([path, 'validation_failed']);
      expect(errors?.[0]?.pointer).toBe(path === '/probe' ? '/callback_url' : '/url');
      tried += 1;
    }
  });

  test.concurrent.each(nameCases)('$name is not called', { timeout: 120_000 }, async ({ url, ends }) => {
    const { key } = await service.createAccount('basic');
    expect((await service.request('/webhooks/test', { key, json: { url } })).status).toBe(202);
    tried += 1;
    if (!ends.includes('source_unreachable')) {
      // On a busy machine the first look-up may come too late; a later attempt tells.
      const ended = await deliveryWhen(
        key,
        (one) => one.status === 'failed' || one.last_status_code !== null,
      );
      expect(ended).toMatchObject({ last_error: 'address_forbidden', last_status_code: null });
      return;
    }
    const { status, last_error } = await deliveryWhen(key, (one) => one.last_error !== null);
    // The test's own fetch of an address that nobody has is answered with a status of its harness.
    expect(['pending', 'failed']).toContain(status);
    expect(['unreachable', 'http_error', 'address_forbidden']).toContain(last_error);
  });
});

/** The only delivery of an account once it is as wanted. */
async function deliveryWhen(key: string, wanted: (one: Delivery) => boolean): Promise<Delivery> {
  for (;;) {
    const response = await service.request('/webhooks/deliveries', { key });
    const [delivery] = deliveryList.parse(await response.json()).data;
    if (delivery && wanted(delivery)) return delivery;
    await sleep(250);
  }
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  format?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  $ref?: string;
}

const { schemas } = (
  JSON.parse(committedDocument('openapi.json')) as { components: { schemas: Record<string, JsonSchema> } }
).components;

const resolved = (given: JsonSchema): JsonSchema =>
  given.$ref ? (schemas[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given;

/** The name of a source in the example of `/timeline`. */
const [NAMED = ''] = Object.keys(Object(operations.timeline.examples[0]?.input).media);

/** Whether the values of an object are URLs, by names that the caller chooses. */
const isOfUrls = ({ additionalProperties: values }: JsonSchema) =>
  typeof values === 'object' && resolved(values).format === 'uri';

/** JSON pointers of the fields of a body that are named for a URL, with the first item for each of an array. */
function urlFields(given: JsonSchema, path: string): string[] {
  const schema = resolved(given);
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => urlFields(part, path));
  const items = schema.items ? urlFields(schema.items, `${path}/0`) : [];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const below = urlFields(field, `${path}/${name}`);
    if (isOfUrls(field)) return [`${path}/${name}/${NAMED}`];
    if (/urls$/.test(name)) return [`${path}/${name}/0`, ...below];
    return /url$/.test(name) ? [`${path}/${name}`] : below;
  });
  return [...new Set([...parts, ...items, ...fields])];
}

function withValue(body: unknown, pointer: string, value: string): unknown {
  const [, key = '', ...rest] = pointer.split('/');
  if (key === '') return value;
  const below = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (/^\d+$/.test(key)) {
    const list = Array.isArray(body) ? [...body] : Array(2).fill('https://media.example.com/a.mp4');
    list[Number(key)] = withValue(list[Number(key)], below, value);
    return list;
  }
  const object = typeof body === 'object' && body !== null ? body : {};
  return { ...object, [key]: withValue(Reflect.get(object, key), below, value) };
}

const fields = operationNames.flatMap((name) =>
  urlFields(schemas[inputName(name)] ?? {}, '').map((pointer) => ({ name, pointer })),
);

describe('every field for a URL', () => {
  test.each(fields)('is judged: $pointer of $name', async ({ name, pointer }) => {
    const { key } = await service.createAccount('elite');
    const operation = operations[name];
    // The field may be the other way to name what the example names.
    const others = urlFields(schemas[inputName(name)] ?? {}, '').map((other) => other.split('/')[1] ?? '');
    const without = (...names: string[]) =>
      Object.fromEntries(Object.entries(exampleOf(operation)).filter(([field]) => !names.includes(field)));
    const bodies = [exampleOf(operation), without(...others), ...others.map((other) => without(other))];
    for (const url of ['https://127.0.0.1/a', 'https://[::ffff:a9fe:a9fe]/a', 'file:///etc/passwd']) {
      const blamed: string[] = [];
      for (const body of bodies) {
        const json = withValue(body, pointer, url);
        const response = await service.request(operation.path, { key, json });
        const { code, errors } = problemSchema.parse(await response.json());
        expect(['source_forbidden', 'source_not_https', 'validation_failed']).toContain(code);
        blamed.push(...(errors ?? []).map((error) => error.pointer));
      }
      expect(blamed.map((one) => one.replace(/\/url$/, ''))).toContain(pointer.replace(/\/url$/, ''));
      tried += 1;
    }
  });

  test('is found in every operation', () => {
    for (const name of operationNames) {
      const sources = operations[name].sources(
        operations[name].input.parse(exampleOf(operations[name])) as never,
      );
      const known = fields.filter((field) => field.name === name).map(({ pointer }) => pointer);
      expect(known, name).toContain('/callback_url');
      expect(known.length, name).toBeGreaterThan(sources.length > 0 ? 1 : 0);
    }
  });
});

test('no receiver on a forbidden address was connected to', () => {
  expect(canary.hits).toEqual([]);
  console.log(
    `${tried} receivers and URL fields tried; canaries on ports ${canary.ports.join(', ')}: 0 hits`,
  );
});
