import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Task, task as taskSchema } from '../../schema/task/task.ts';
import { fixtures } from '../fixtures/make.ts';
import { thorough } from '../sampled.ts';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack(fixtures);
});
afterAll(() => stack.close());

describe('a running task', () => {
  thorough('shows its stages and its progress rising while it runs', async () => {
    const { service } = stack;
    const created = await service.submit('/transcode', {
      video_url: stack.media('plain.mp4'),
      width: 1920,
      codec: 'hevc',
      quality: 'high',
    });
    const seen: { stage: string; percent: number }[] = [];
    for (;;) {
      const response = await service.request(`/task/${created.id}`, { key: service.accounts.elite.key });
      const task = taskSchema.parse(await response.json());
      seen.push({ stage: task.stage, percent: task.progress_percent });
      if (task.status === 'completed' || task.status === 'failed') {
        expect(task.error).toBeNull();
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const percents = seen.map(({ percent }) => percent);
    expect([...percents].sort((a, b) => a - b)).toEqual(percents);
    expect(new Set(percents.filter((percent) => percent > 20 && percent < 90)).size).toBeGreaterThan(1);
    expect(seen.map(({ stage }) => stage)).toEqual(expect.arrayContaining(['rendering', 'done']));
  });

  it('is stopped by DELETE within seconds: its encoder ends and nothing stays', async () => {
    const { service, transcoder } = stack;
    const created = await service.submit('/transcode', {
      video_url: stack.media('plain.mp4'),
      width: 1920,
      codec: 'hevc',
      quality: 'high',
    });
    const before = Date.now();
    while (transcoder.descendants().length === 0) {
      if (Date.now() - before > 20_000) throw new Error('no encoder was started');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { key } = service.accounts.elite;
    expect((await service.request(`/task/${created.id}`, { method: 'DELETE', key })).status).toBe(200);
    const deleted = Date.now();
    while (transcoder.descendants().length > 0) {
      if (Date.now() - deleted > 15_000) throw new Error('the encoder still runs after 15 s');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    console.log(`a deleted task: its encoder ended after ${Date.now() - deleted} ms`);
    expect((await service.request(`/task/${created.id}`, { key })).status).toBe(404);
    const { FILES } = await service.bindings();
    expect((await FILES.list({ prefix: `t/${created.id}/` })).objects).toEqual([]);
    expect(await (await service.request('/account', { key })).json()).toMatchObject({
      used: { running: 0, waiting: 0 },
    });
  });
});

describe('a Basic account', () => {
  it('has two tasks running and twenty in line, which all complete in order', async () => {
    const { service } = stack;
    const { key } = await service.createAccount('basic');
    const input = { video_url: stack.media('plain.mp4'), start: 0, duration: 0.2, quality: 'low' };
    const responses = await Promise.all(
      Array.from({ length: 25 }, () => service.request('/cut', { json: input, key })),
    );
    expect(responses.map(({ status }) => status).filter((status) => status === 202)).toHaveLength(22);
    expect(responses.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(3);
    const created: Task[] = [];
    for (const response of responses)
      if (response.status === 202) created.push((await response.json()) as Task);
    const done: Task[] = [];
    for (const { id } of created) done.push(await service.finished(id, key));
    expect(done.every(({ status }) => status === 'completed')).toBe(true);
    const { DB } = await service.bindings();
    const { results } = await DB.prepare(
      'select started_at from tasks where account_id = (select account_id from tasks where id = ?) order by seq',
    )
      .bind(created[0]?.id)
      .all<{ started_at: number }>();
    const starts = results.map(({ started_at }) => started_at);
    // Two slots start side by side, so neighbours may swap by the length of one dispatch, never more.
    for (const [index, start] of starts.entries()) {
      const later = starts[index + 2];
      if (later !== undefined) expect(later).toBeGreaterThanOrEqual(start);
    }
  });
});

describe('a plan with more slots than the transcoder', () => {
  thorough('completes every task: what finds no room comes again', async () => {
    const { service } = stack;
    const { key } = await service.createAccount('elite');
    const input = { video_url: stack.media('plain.mp4'), start: 0, duration: 0.2, quality: 'low' };
    const created: Task[] = [];
    for (let index = 0; index < 12; index++) created.push(await service.submit('/cut', input, key));
    for (const { id } of created) {
      const done = await service.finished(id, key);
      expect(done).toMatchObject({ status: 'completed', attempt: 1 });
    }
  });
});
