import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { engineIds } from '../../schema/media/engines.ts';
import { transitionNames } from '../../schema/media/transitions.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { task as taskSchema } from '../../schema/task/task.ts';
import { exampleOf, type Service, startService } from '../harness.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
});
afterAll(() => service.close());

describe('a path', () => {
  it('that does not exist is a 404 problem', async () => {
    for (const path of ['/nothing', '/task', '/task/', '/cut/', '/internal/accounts/a/tasks/b/attempts/x']) {
      const response = await service.request(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(problemSchema.parse(await response.json())).toMatchObject({ code: 'not_found', instance: path });
    }
  });

  it.each([
    ['GET', '/cut', 'POST'],
    ['PUT', '/frame/last', 'POST'],
    ['PATCH', `/task/task_${'0'.repeat(26)}`, 'DELETE, GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/mcp', 'POST'],
    ['GET', '/mcp', 'POST'],
  ])('does not take %s %s and says what it takes', async (method, path, allow) => {
    const response = await service.request(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(problemSchema.parse(await response.json()).code).toBe('method_not_allowed');
  });
});

describe('the service about itself', () => {
  it('is healthy, and not ready while no transcoder answers', async () => {
    const health = await service.request('/healthz');
    expect(await health.json()).toEqual({ status: 'ok', version: expect.any(String) });
    const ready = await service.request('/readyz');
    expect(ready.status).toBe(503);
    expect(ready.headers.get('retry-after')).toBe('5');
    expect(await ready.json()).toMatchObject({
      status: 'not_ready',
      checks: { database: { ok: true }, storage: { ok: true }, transcoder: { ok: false } },
    });
  });

  it('lists every operation with schemas and every plan, without a key', async () => {
    const body = (await (await service.request('/capabilities')).json()) as {
      engine: string | null;
      engines: { id: string; available: boolean | null; get: string }[];
      operations: { name: string; path: string; input: { type: string } }[];
      transitions: { name: string; family: string }[];
      plans: object;
    };
    expect(body.operations.map(({ name }) => name)).toEqual(operationNames);
    expect(body.engine, 'no transcoder answers').toBeNull();
    expect(body.engines.map(({ id }) => id)).toEqual(engineIds);
    expect(body.engines.every(({ available, get }) => available === null && get !== '')).toBe(true);
    expect(body.operations.every(({ input }) => input.type === 'object')).toBe(true);
    expect(body.transitions.map(({ name }) => name)).toEqual(transitionNames);
    expect(body.transitions).toContainEqual({
      name: 'wipeleft',
      family: 'wipe',
      preview_url: `${service.url.origin}/transitions/wipeleft.mp4`,
    });
    expect(Object.keys(body.plans)).toEqual(['basic', 'boost', 'elite']);
  });

  it('serves samples of the operator with ranges', async () => {
    const { FILES } = await service.bindings();
    await FILES.put('samples/tiny.txt', 'abcdef');
    const part = await service.request('/samples/tiny.txt', { headers: { range: 'bytes=1-2' } });
    expect([part.status, await part.text()]).toEqual([206, 'bc']);
    expect((await service.request('/samples/none.mp4')).status).toBe(404);
    expect((await service.request('/samples/..%2Ft%2Fsecret')).status).toBe(404);
  });
});

describe('MCP', () => {
  async function connect(key: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', service.url), {
        requestInit: { headers: { 'x-api-key': key } },
      }),
    );
    return client;
  }

  it('offers a tool for every operation, get_task and list_tasks', async () => {
    const client = await connect(service.accounts.elite.key);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      [...operationNames, 'get_task', 'list_tasks'].sort(),
    );
    for (const tool of tools) expect(tool.inputSchema.type).toBe('object');
    await client.close();
  });

  it.each(operationNames)('starts %s as REST does, and reads the task', async (name) => {
    const { key } = await service.createAccount('elite');
    const client = await connect(key);
    const started = await client.callTool({ name, arguments: exampleOf(operations[name]) });
    expect(started.isError).toBeFalsy();
    const created = taskSchema.parse(started.structuredContent);
    expect(created.operation).toBe(name);
    const read = await client.callTool({ name: 'get_task', arguments: { task_id: created.id } });
    expect(taskSchema.parse(read.structuredContent)).toMatchObject({ id: created.id, queue_position: 1 });
    const overRest = await service.request(`/task/${created.id}`, { key });
    expect(taskSchema.parse(await overRest.json()).id).toBe(created.id);
    await client.close();
  });

  it('answers what a caller did wrong with the code and the field, not with a broken protocol', async () => {
    const { key } = await service.createAccount('elite');
    const client = await connect(key);
    const forbidden = await client.callTool({
      name: 'cut',
      arguments: { video_url: 'https://127.0.0.1/a.mp4', duration: 1 },
    });
    expect(forbidden.isError).toBe(true);
    expect(JSON.stringify(forbidden.content)).toContain('source_forbidden');
    const invalid = await client.callTool({
      name: 'cut',
      arguments: { video_url: 'https://media.example.com/a.mp4' },
    });
    expect(invalid.isError).toBe(true);
    expect(JSON.stringify(invalid.content)).toContain('duration');
    const misspelt = { video_ulr: 'https://media.example.com/a.mp4', duration: 1 };
    const tool = await client.callTool({ name: 'cut', arguments: misspelt });
    const overRest = problemSchema.parse(
      await (await service.request('/cut', { json: misspelt, key })).json(),
    );
    const [{ text = '' } = {}] = tool.content as { text?: string }[];
    const { code, detail, errors } = overRest;
    expect(JSON.parse(text)).toMatchObject({ code, detail, errors });
    expect(detail).toContain('Did you mean `video_url`?');
    const foreign = await client.callTool({
      name: 'get_task',
      arguments: { task_id: `task_${'0'.repeat(26)}` },
    });
    expect(JSON.stringify(foreign.content)).toContain('task_not_found');
    await client.close();
  });

  it('needs a key, and no browser page of another site', async () => {
    const call = (headers: Record<string, string>) =>
      service.request('/mcp', { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers });
    expect((await call({})).status).toBe(401);
    const page = await call({ origin: 'https://evil.example', 'x-api-key': service.accounts.elite.key });
    expect(page.status).toBe(403);
    expect(problemSchema.parse(await page.json()).code).toBe('origin_forbidden');
  });
});
