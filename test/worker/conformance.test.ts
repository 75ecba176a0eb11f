import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorEntry } from '../../schema/api/errors.ts';
import { planNames, planOf } from '../../schema/api/plans.ts';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { task as taskSchema } from '../../schema/task/task.ts';
import { makeKey } from '../../worker/lib/api-key.ts';
import { exampleOf, type Service, startService } from '../harness.ts';
import { withUrl } from '../with-url.ts';

let service: Service;

beforeAll(async () => {
  // Nothing listens there: tasks stay in line, which is all that these tests need.
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
});
afterAll(() => service.close());

async function expectProblem(
  response: Response,
  code: keyof typeof import('../../schema/api/errors.ts').errors,
) {
  const body = problemSchema.parse(await response.json());
  expect(body.code).toBe(code);
  expect(response.status).toBe(errorEntry(code).status);
  expect(body.status).toBe(response.status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(body.request_id).toBe(response.headers.get('x-request-id'));
  expect(body.type).toBe(`${service.url.origin}/docs/errors#${code}`);
  // Every field is named in the same way, and the first sentence is one of them.
  for (const { pointer, detail } of body.errors ?? []) expect(detail.startsWith(pointer)).toBe(true);
  if (body.errors) expect(body.errors.some(({ detail }) => body.detail.startsWith(detail))).toBe(true);
  return body;
}

describe.each(operationNames)('POST of %s', (name) => {
  const operation = operations[name];
  const { path } = operation;
  const example = exampleOf(operation);

  it('is refused without a key', async () => {
    await expectProblem(await service.request(path, { json: example }), 'missing_api_key');
  });

  it('is refused with a malformed, an unknown and a revoked key in the same words', async () => {
    const revoked = await service.createAccount('elite');
    const { DB } = await service.bindings();
    expect((await service.request(path, { json: example, key: revoked.key })).status).toBe(202);
    await DB.prepare('update keys set revoked_at = ? where id = ?').bind(Date.now(), revoked.keyId).run();
    const bodies = [];
    for (const key of ['spool_live_nonsense', makeKey(), revoked.key]) {
      const { request_id: _, ...body } = await expectProblem(
        await service.request(path, { json: example, key }),
        'invalid_api_key',
      );
      bodies.push(body);
    }
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('takes the key as a bearer token too', async () => {
    const { key } = await service.createAccount('elite');
    const response = await service.request(path, {
      json: example,
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(202);
  });

  it('is refused while the subscription is not active', async () => {
    const { key } = await service.createAccount('basic', { subscription: 'inactive' });
    await expectProblem(await service.request(path, { json: example, key }), 'subscription_required');
  });

  it('is open to exactly the plans that have its feature', async () => {
    for (const plan of ['basic', 'boost', 'elite'] as const) {
      const { key } = await service.createAccount(plan);
      const response = await service.request(path, { json: example, key });
      if ((planOf(plan).features as readonly string[]).includes(operation.feature))
        expect(response.status).toBe(202);
      else await expectProblem(response, 'plan_feature_required');
    }
  });

  it('is refused when the body is not JSON, not an object, too large or of another type', async () => {
    const { key } = await service.createAccount('elite');
    const send = (body: string, type = 'application/json') =>
      service.request(path, { method: 'POST', body, key, headers: { 'content-type': type } });
    const most = ('mostBytes' in operation && operation.mostBytes) || 256 * 1024;
    await expectProblem(await send('{"video_url":'), 'invalid_json');
    await expectProblem(await send('[]'), 'validation_failed');
    await expectProblem(await send('null'), 'validation_failed');
    await expectProblem(await send(JSON.stringify(example), 'text/plain'), 'unsupported_media_type');
    await expectProblem(
      await send(JSON.stringify({ ...example, pad: 'x'.repeat(most + 1) })),
      'request_too_large',
    );
  });

  it('names the unknown field and the missing one', async () => {
    const { key } = await service.createAccount('elite');
    const body = await expectProblem(
      await service.request(path, { json: { ...example, surprise: 1 }, key }),
      'validation_failed',
    );
    expect(body.errors).toEqual([expect.objectContaining({ pointer: '/surprise', code: 'unknown_field' })]);
    const empty = await service.request(path, { json: {}, key });
    expect(empty.headers.get('ratelimit-policy')).toBe('"elite";q=300;w=60');
    expect(empty.headers.get('ratelimit')).toBe('"elite";r=300;t=0');
    await expectProblem(empty, 'validation_failed');
  });

  it('refuses a source that is not public https, naming its field', async () => {
    const { key } = await service.createAccount('elite');
    const [source] = operation.sources(operation.input.parse(example) as never);
    if (!source) throw new Error('every operation so far has a source');
    for (const [url, code] of [
      ['http://media.example.com/a.mp4', 'source_not_https'],
      ['ftp://media.example.com/a.mp4', 'source_not_https'],
      ['https://www.dropbox.com/s/abc/a.mp4?dl=0', 'source_is_page'],
      ['https://127.0.0.1/a.mp4', 'source_forbidden'],
      ['https://169.254.169.254/latest/meta-data', 'source_forbidden'],
      ['https://[::1]/a.mp4', 'source_forbidden'],
      ['https://localhost/a.mp4', 'source_forbidden'],
      ['https://user:pass@media.example.com/a.mp4', 'source_forbidden'],
    ] as const) {
      const body = await expectProblem(
        await service.request(path, { json: withUrl(example, source.pointer, url), key }),
        code,
      );
      expect(body.errors?.[0]?.pointer).toBe(source.pointer);
    }
  });

  it('names the stored source that an address of the service itself stands for', async () => {
    const { key } = await service.createAccount('elite');
    const [source] = operation.sources(operation.input.parse(example) as never);
    const id = `task_${'0'.repeat(26)}`;
    for (const url of [`/task/${id}`, `/task/${id}/download`, `/task/${id}/download?file=video`]) {
      const json = withUrl(example, source?.pointer ?? '', `${service.url.origin}${url}`);
      const body = await expectProblem(await service.request(path, { json, key }), 'source_forbidden');
      expect(body.detail).toContain(`Give \`task:${id}\` instead.`);
    }
  });

  it('accepts every example of its own with 202, Location, Retry-After and RateLimit headers', async () => {
    const { key } = await service.createAccount('elite');
    for (const { input } of operation.examples) {
      const response = await service.request(path, { json: { ...input, metadata: { order: '7' } }, key });
      expect(response.status).toBe(202);
      const task = taskSchema.parse(await response.json());
      expect(response.headers.get('location')).toBe(task.status_url);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.headers.get('ratelimit-policy')).toBe('"elite";q=300;w=60');
      expect(response.headers.get('ratelimit')).toMatch(/^"elite";r=\d+;t=\d+$/);
      expect(task).toMatchObject({
        operation: name,
        endpoint: path,
        status: 'queued',
        metadata: { order: '7' },
      });
      const read = await service.request(`/task/${task.id}`, { key });
      expect(read.headers.get('ratelimit')).toMatch(/^"elite";r=29\d;t=\d+$/);
      expect(taskSchema.parse(await read.json()).id).toBe(task.id);
    }
  });

  it('is refused beyond the creations of the plan, with headers that say when to come back', async () => {
    const plan = planNames.find((name) => planOf(name).features.includes(operation.feature)) ?? 'elite';
    const { key } = await service.createAccount(plan);
    const { creations_per_minute: limit, running, waiting } = planOf(plan);
    const taken = Math.min(limit, running + waiting);
    const statuses: number[] = [];
    for (let index = 0; index < limit; index++) {
      statuses.push((await service.request(path, { json: example, key })).status);
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(taken);
    expect(statuses.slice(taken).every((status) => status === 429)).toBe(true);
    const response = await service.request(path, { json: example, key });
    expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"${plan}";r=0;t=\\d+$`));
    const retryAfter = Number(response.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    await expectProblem(response, 'rate_limited');
  });

  it("hides another account's task as if it did not exist", async () => {
    const owner = await service.createAccount('elite');
    const stranger = await service.createAccount('elite');
    const task = await service.submit(path, example, owner.key);
    const unknown = `task_${'0'.repeat(26)}`;
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/download'],
    ] as const) {
      const foreign = await service.request(`/task/${task.id}${suffix}`, { method, key: stranger.key });
      const missing = await service.request(`/task/${unknown}${suffix}`, { method, key: stranger.key });
      const { instance: _a, request_id: _b, ...first } = await expectProblem(foreign, 'task_not_found');
      const { instance: _c, request_id: _d, ...second } = await expectProblem(missing, 'task_not_found');
      expect(first).toEqual(second);
    }
    expect((await service.request(`/task/${task.id}`, { key: owner.key })).status).toBe(200);
  });
});

describe.each(planNames)('the %s plan', (plan) => {
  const { merge_inputs } = planOf(plan);
  const clips = Array.from({ length: 200 }, (_, index) => `https://media.example.com/${index}.mp4`);

  it('bounds how many clips one merge takes, and says how many', async () => {
    const { key } = await service.createAccount(plan);
    const post = (count: number) =>
      service.request(operations.merge_urls.path, { key, json: { urls: clips.slice(0, count) } });
    expect((await post(merge_inputs)).status).toBe(202);
    const body = await expectProblem(await post(merge_inputs + 1), 'validation_failed');
    expect(body.errors?.[0]).toMatchObject({
      pointer: '/urls',
      detail: expect.stringContaining(`${merge_inputs}`),
    });
  });
});
