import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planOf } from '../../../schema/api/plans.ts';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { type Task, task as taskSchema } from '../../../schema/task/task.ts';
import { type Service, sleep, startService } from '../../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';

let service: Service;
let transcoder: StandIn;
const body = { video_url: 'https://media.example.com/talk.mp4', duration: 5 };
const halfway = { type: 'progress', stage: 'rendering', progress_percent: 50, eta_seconds: 1 } as const;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

async function wait(id: string, key: string, seconds: number): Promise<Task> {
  const response = await service.request(`/task/${id}?wait_seconds=${seconds}`, { key });
  expect(response.status).toBe(200);
  return taskSchema.parse(await response.json());
}

/** How many waits the account has open, once it is the number that is expected. */
async function opened(key: string, count: number): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const account = await (await service.request('/account', { key })).json();
    if ((account as { used: { connections: number } }).used.connections === count) return;
    await sleep(50);
  }
  throw new Error(`the account did not come to ${count} open waits within 20 s`);
}

describe('GET /task/{id}?wait_seconds', () => {
  it('is held while progress goes on, and answers when the status changes', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const job = await transcoder.jobOf(id);

    const begun = wait(id, key, 55);
    await opened(key, 1);
    await transcoder.report(job, halfway);
    expect(await begun).toMatchObject({ status: 'processing', attempt: 1 });

    const ended = wait(id, key, 55);
    const also = wait(id, key, 55);
    await opened(key, 2);
    await transcoder.report(job, { ...halfway, progress_percent: 75 });
    await opened(key, 2);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    for (const task of [await ended, await also]) {
      expect(task).toMatchObject({ status: 'completed', progress_percent: 100 });
      expect(task.output).not.toBeNull();
    }
    await opened(key, 0);
  });

  it('answers at once for a task that has ended, and with the task as it is when the time is up', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const job = await transcoder.jobOf(id);
    expect(await wait(id, key, 0)).toMatchObject({ status: 'queued' });
    expect(await wait(id, key, 0.5)).toMatchObject({ status: 'queued' });
    await transcoder.report(job, {
      type: 'failed',
      failure: { code: 'source_not_media', detail: 'No media.', stage: 'analyzing', source_index: 0 },
    });
    const start = performance.now();
    expect(await wait(id, key, 55)).toMatchObject({ status: 'failed' });
    expect(performance.now() - start, 'ms, of 55 000').toBeLessThan(20_000);
  });

  it('says that an attempt was handed back', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const job = await transcoder.jobOf(id);
    await transcoder.report(job, halfway);
    const back = wait(id, key, 55);
    await opened(key, 1);
    await transcoder.report(job, { type: 'released' });
    expect(await back).toMatchObject({ status: 'queued', progress_percent: 0 });
  });

  it('is a 404 when the task is deleted meanwhile, and for a task of another account', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const held = service.request(`/task/${id}?wait_seconds=55`, { key });
    await opened(key, 1);
    expect((await service.request(`/task/${id}`, { method: 'DELETE', key })).status).toBe(200);
    expect(problemSchema.parse(await (await held).json()).code).toBe('task_not_found');
    const own = await service.submit('/cut', body, key);
    const stranger = await service.createAccount('elite');
    const foreign = await service.request(`/task/${own.id}?wait_seconds=55`, { key: stranger.key });
    expect(foreign.status).toBe(404);
  });

  it('is not held beyond the connections of the plan', async () => {
    const { key } = await service.createAccount('basic');
    const { connections } = planOf('basic');
    const { id } = await service.submit('/cut', body, key);
    const job = await transcoder.jobOf(id);
    const held = Array.from({ length: connections }, () => wait(id, key, 55));
    await opened(key, connections);
    const start = performance.now();
    expect(await wait(id, key, 55)).toMatchObject({ status: 'queued' });
    expect(performance.now() - start, 'ms, of 55 000').toBeLessThan(20_000);
    await transcoder.report(job, halfway);
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(
      Array(connections).fill('processing'),
    );
    await opened(key, 0);
  });

  it.each([
    ['56', '/wait_seconds must be 0 to 55 seconds; it is 56.'],
    ['-1', '/wait_seconds must be 0 to 55 seconds; it is -1.'],
    ['99999999999999', '/wait_seconds must be 0 to 55 seconds; it is 99999999999999.'],
    ['long', '/wait_seconds must be a number from 0 to 55; it is the string "long".'],
    ['1e1', '/wait_seconds must be a number from 0 to 55; it is the string "1e1".'],
    ['', '/wait_seconds must be a number from 0 to 55; it is an empty string.'],
  ])('refuses wait_seconds=%s and says why', async (seconds, detail) => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const response = await service.request(`/task/${id}?wait_seconds=${seconds}`, { key });
    expect(response.status).toBe(422);
    const problem = problemSchema.parse(await response.json());
    expect(problem.errors).toMatchObject([{ pointer: '/wait_seconds', detail }]);
  });

  it('is a field of get_task over MCP', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const job = await transcoder.jobOf(id);
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { 'x-api-key': key } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
    const held = client.callTool({ name: 'get_task', arguments: { task_id: id, wait_seconds: 55 } });
    await opened(key, 1);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    const answer = await held;
    expect(answer.structuredContent).toMatchObject({ id, status: 'completed' });
    await client.close();
  });
});
