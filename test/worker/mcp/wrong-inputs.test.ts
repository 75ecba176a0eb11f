import { gzipSync } from 'node:zlib';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { exampleOf, type Service, startService } from '../../harness.ts';
import { connect, send, textOf } from './connect.ts';
import { wrongBodies, wrongInputs } from './wrong-inputs.ts';

let service: Service;
let client: Client;
let key: string;
/** One account for each operation: all requests together are more than one may send. */
const callers = new Map<string, { key: string; client: Client }>();

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
  ({ key, client } = await callerOf('cut'));
});
afterAll(async () => {
  for (const { client } of callers.values()) await client.close();
  await service.close();
});

async function callerOf(operation: string) {
  const known = callers.get(operation);
  if (known) return known;
  const { key } = await service.createAccount('elite');
  const caller = { key, client: await connect(service, key) };
  callers.set(operation, caller);
  return caller;
}

/** What libraries say of wrong input in their own words, and regular expressions. */
const stock = [
  /invalid input|invalid option|expected (?:one of|string|number|object|array|boolean|record)|received |unrecognized key/i,
  /must match|too (?:small|big)|invalid_type|invalid_union|zod|ajv|expected .*, received|string must contain/i,
  /\\d|\[a-z|\[\^|\(\?:|\^\S*\$|\.\*/,
  /undefined|NaN|\[object/,
];

/** The texts that a caller reads, without the values that it has sent. */
function readable({
  detail,
  errors = [],
}: {
  detail: string;
  errors?: { detail: string }[] | undefined;
}): string {
  return [detail, ...errors.map((error) => error.detail)].join('\n');
}

function expectPlain(text: string): void {
  for (const pattern of stock) expect(text).not.toMatch(pattern);
  expect(text).not.toBe('');
}

const named = wrongInputs.map((row) => ({ ...row, title: `${row.operation} ${JSON.stringify(row.fields)}` }));

describe('a wrong input', () => {
  it('is one of at least 180', () => {
    expect(named.length + wrongBodies.length).toBeGreaterThanOrEqual(180);
  });

  it.each(named)('$title is explained over HTTP and MCP alike', async ({ operation, fields, says }) => {
    const caller = await callerOf(operation);
    const input = { ...exampleOf(operations[operation]), ...fields };
    const response = await service.request(operations[operation].path, { key: caller.key, json: input });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    const problem = problemSchema.parse(await response.json());
    const text = readable(problem);
    expect(text).toContain(says);
    expectPlain(text);
    const { tool } = operations[operation];
    const result = await caller.client.callTool({
      name: tool.name,
      arguments: JSON.parse(JSON.stringify(input)),
    });
    const { code, detail, errors } = problem;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatchObject({ code, detail, ...(errors ? { errors } : {}) });
  });

  it.each(wrongBodies.map((body) => [body]))('%j is no request', async (body) => {
    for (const name of operationNames) {
      const caller = await callerOf(name);
      const response = await service.request(operations[name].path, { key: caller.key, json: body });
      expect([name, response.status]).toEqual([name, 422]);
      expectPlain(readable(problemSchema.parse(await response.json())));
    }
  });
});

describe('a body that is not UTF-8', () => {
  const text = JSON.stringify({ video_url: 'https://media.example.com/a.mp4', output_name: 'Müller' });
  it.each([
    ['in Latin-1', Buffer.from(text, 'latin1'), {}, 'is not valid UTF-8'],
    ['cut within a character', Buffer.from(text).subarray(0, -7), {}, 'is not valid UTF-8'],
    ['in UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), {}, 'is not valid UTF-8'],
    ['compressed', gzipSync(text), { 'content-encoding': 'gzip' }, 'is compressed. Send it uncompressed'],
  ])('%s is refused, and nothing in it replaced', async (_, body, headers, says) => {
    for (const path of ['/cut', '/webhooks/test', '/uploads', '/mcp']) {
      const response = await service.request(path, {
        ...{ key, body, method: 'POST' },
        headers: { 'content-type': 'application/json', ...headers },
      });
      const { code, detail } = problemSchema.parse(await response.json());
      expect([path, response.status, code]).toEqual([path, 400, 'invalid_json']);
      expect(detail).toContain(says);
    }
  });
});

describe('a key', () => {
  it.each([
    ['in no header', {}, 'X-API-Key'],
    ['in the query', {}, 'X-API-Key'],
    ['in Authorization without Bearer', { authorization: 'KEY' }, 'must be `Bearer` and your key'],
    ['in Authorization as Basic', { authorization: 'Basic KEY' }, 'must be `Bearer` and your key'],
    ['in api-key', { 'api-key': 'KEY' }, 'The header api-key is not read.'],
    ['in x-auth-token', { 'x-auth-token': 'KEY' }, 'The header x-auth-token is not read.'],
    ['with quotes', { 'x-api-key': '"KEY"' }, 'without quotes'],
    ['cut off', { 'x-api-key': 'spool_live_abc' }, 'the whole key'],
    ['as its placeholder', { 'x-api-key': '$SPOOL_API_KEY' }, 'not the name of a variable'],
    ['with the word Bearer in X-API-Key', { 'x-api-key': 'Bearer KEY' }, 'without `Bearer`'],
  ])('%s is refused in plain words', async (where, headers, says) => {
    const sent = Object.fromEntries(
      Object.entries(headers as Record<string, string>).map(([name, value]) => [
        name,
        value.replace(/\bKEY\b/, key),
      ]),
    );
    for (const path of ['/cut', '/mcp']) {
      const target = where === 'in the query' ? `${path}?api_key=${key}` : path;
      const response = await service.request(target, { json: {}, headers: sent });
      expect([path, response.status]).toEqual([path, 401]);
      const text = readable(problemSchema.parse(await response.json()));
      expect(text).toContain(says);
      expectPlain(text);
    }
  });
});

describe('a message to /mcp', () => {
  const wrong: [string, Record<string, unknown>][] = [
    ['tools/call', {}],
    ['tools/call', { name: 5 }],
    ['tools/call', { name: 'cut', arguments: 'video_url=x' }],
    ['tools/call', { name: 'cut', arguments: [] }],
    ['tools/call', { name: 'cut_vide', arguments: {} }],
    ['tools/call', { name: 'cut_video', args: {} }],
    ['tools/call', { tool: 'cut_video', arguments: {} }],
    ['prompts/get', {}],
    ['prompts/get', { name: 'short' }],
    ['prompts/get', { name: 'vertical_short', arguments: { video_url: 5 } }],
    ['prompts/get', { name: 'vertical_short', arguments: { url: 'x' } }],
    ['resources/read', {}],
    ['resources/read', { uri: 5 }],
    ['resources/read', { uri: 'not a uri' }],
    ['resources/read', { uri: 'spool://voice' }],
    ['completion/complete', {}],
    ['completion/complete', { ref: { type: 'ref/prompt' }, argument: { name: 'a', value: 'b' } }],
    ['completion/complete', { ref: { type: 'ref/tool', name: 'cut' }, argument: { name: 'a', value: 'b' } }],
    ['tasks/get', {}],
    ['tasks/get', { taskId: 5 }],
  ];

  it.each(wrong)('%s %j is explained in our words', async (method, params) => {
    const { result, error, status } = await send(service, key, method, params);
    expect(status).toBeLessThan(500);
    const text = JSON.stringify(error ?? result);
    expect(error ?? (result?.isError === true ? result : null), text).not.toBeNull();
    if (error) expect(error.data, text).toMatchObject({ code: expect.any(String), hint: expect.any(String) });
    const [{ text: said = '' } = {}] = (result?.content ?? []) as { text?: string }[];
    expectPlain(error?.message ?? said);
  });

  it.each([
    ['get_task', {}],
    ['get_task', { id: 'task_1' }],
    ['get_task', { task_id: '123' }],
    ['get_task', { task_id: `task_${'0'.repeat(26)}`, wait_seconds: '45' }],
    ['get_task', { task_id: `task_${'0'.repeat(26)}`, wait_seconds: 600 }],
    ['get_task', { task_id: `task_${'0'.repeat(26)}`, wait: 5 }],
    ['list_tasks', { status: 'done' }],
    ['list_tasks', { operation: 'trim' }],
    ['list_tasks', { limit: 0 }],
    ['list_tasks', { cursor: 'abc' }],
    ['delete_task', { ids: [] }],
    ['describe_operation', {}],
    ['describe_operation', { operation: 'trim' }],
    ['get_account', { id: 1 }],
    ['list_capabilities', { verbose: true }],
  ])('the tool %s with %j explains itself', async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError).toBe(true);
    const said = textOf(result) as { code: string; detail: string; hint: string };
    expect(said).toMatchObject({ code: 'validation_failed', hint: expect.any(String) });
    expectPlain(readable(said));
  });
});
