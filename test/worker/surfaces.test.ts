import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { type EngineId, engineIds, engineOf } from '../../schema/media/engines.ts';
import { transitionNames } from '../../schema/media/transitions.ts';
import { operationNames } from '../../schema/operations/index.ts';
import { type Service, startService } from '../harness.ts';

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
      engines: { id: EngineId; available: boolean | null; get: string }[];
      operations: { name: string; path: string; input: { type: string } }[];
      transitions: { name: string; family: string }[];
      plans: object;
    };
    expect(body.operations.map(({ name }) => name)).toEqual(operationNames);
    expect(body.engine, 'no transcoder answers').toBeNull();
    expect(body.engines.map(({ id }) => id)).toEqual(engineIds);
    for (const { id, available, get } of body.engines) {
      // Only the engines of the Worker itself are known, and this one has no binding.
      expect([id, available]).toEqual([id, engineOf(id).onWorkersAi ? false : null]);
      expect(get).not.toBe('');
    }
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
