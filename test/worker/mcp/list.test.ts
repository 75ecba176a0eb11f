import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { committedDocument } from '../../golden/documents.ts';
import { type Service, startService } from '../../harness.ts';
import { connect, newest, send } from './connect.ts';

const MOST_BYTES = 25_200;
const MOST_TOKENS = 6500;
const AN_HOUR_MS = 3_600_000;

interface Listed {
  name: string;
  description: string;
  inputSchema: { properties: Record<string, { description?: string }>; required?: string[] };
  outputSchema: { type: string };
  annotations: { readOnlyHint: boolean };
}

/**
 * About as many tokens as language models see: a word is one for every 7 letters, a number one for every 3 digits, a run of other
 * signs one for every 4. For this list it is 1 to 9 % above what the tokenizers o200k, cl100k and that of Claude 2 count; bytes / 4
 * would be below the last.
 */
function tokensOf(text: string): number {
  const pieces = text.match(/ ?\p{L}{1,7}| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]{1,4}|\s+/gu);
  return pieces?.length ?? 0;
}

let service: Service;
let tools: Listed[];
let result: Record<string, unknown>;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
  result = (await send(service, service.accounts.elite.key, 'tools/list')).result ?? {};
  tools = result.tools as Listed[];
});
afterAll(() => service.close());

it('is small enough for every conversation, may be kept for hours, and is the same in the same order', async () => {
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(MOST_BYTES);
  expect(tokensOf(JSON.stringify(result))).toBeLessThanOrEqual(MOST_TOKENS);
  expect(result).toMatchObject({ cacheScope: 'public' });
  expect(result.ttlMs).toBeGreaterThanOrEqual(AN_HOUR_MS);
  const again = await send(service, service.accounts.basic.key, 'tools/list');
  expect(again.result?.tools).toEqual(tools);
  expect(tools).toEqual(JSON.parse(committedDocument('mcp-tools.json')));
});

it('has a tool with a verb and a noun for every operation, and the tools around tasks', () => {
  const names = tools.map(({ name }) => name);
  for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
  const ofOperations = operationNames.map((name) => operations[name].tool.name);
  expect(names).toEqual([
    ...ofOperations,
    ...['get_task', 'list_tasks', 'delete_task', 'create_upload', 'complete_upload'],
    ...['describe_operation', 'list_capabilities', 'get_account'],
  ]);
});

it('says of each tool when to use another one, what it returns, and shows a call that works', async () => {
  const known = new Set(tools.map(({ name }) => name));
  for (const name of operationNames) {
    const { tool, input, fields } = operations[name];
    const { description, inputSchema } = tools.find((one) => one.name === tool.name) as Listed;
    const [, example = ''] = /Example: (\{.*\})$/.exec(description) ?? [];
    expect(input.safeParse(JSON.parse(example)).success, name).toBe(true);
    expect(description, name).toMatch(/Returns /);
    const others = description.match(/\b[a-z]+(?:_[a-z]+)+\b/g)?.filter((word) => known.has(word)) ?? [];
    if (name !== 'probe') expect(others, name).not.toEqual([]);
    const listed = Object.entries(inputSchema.properties);
    expect(listed.length).toBeLessThanOrEqual(8);
    for (const [field, { description: text }] of listed) {
      expect(Object.keys(fields)).toContain(field);
      expect(text).toEqual(expect.any(String));
    }
  }
});

it('has an output schema for every tool, and marks as read-only those that change nothing', () => {
  for (const { outputSchema } of tools) expect(outputSchema.type).toBe('object');
  const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
  expect(changing).toEqual([
    ...operationNames.map((name) => operations[name].tool.name),
    ...['delete_task', 'create_upload', 'complete_upload'],
  ]);
});

it('comes with instructions that name every tool of an operation and every common field', async () => {
  const client = await connect(service, service.accounts.elite.key, newest);
  const instructions = client.getInstructions() ?? '';
  await client.close();
  for (const name of operationNames) expect(instructions).toContain(operations[name].tool.name);
  for (const field of ['callback_url', 'metadata', 'dry_run', 'output_name', 'get_task'])
    expect(instructions).toContain(field);
});
