import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { task as taskSchema } from '../../schema/task/task.ts';
import type { Job } from '../../schema/task/wire.ts';
import { type Service, sleep, startService, type TestAccount } from '../harness.ts';
import { resultOf, type StandIn, startStandIn } from './stand-in.ts';

let service: Service;
let transcoder: StandIn;
let account: TestAccount;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
  account = await service.createAccount('elite');
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const body = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };

const read = (id: string) => service.request(`/task/${id}`, { key: account.key });
const remove = (id: string) => service.request(`/task/${id}`, { method: 'DELETE', key: account.key });
const used = async () =>
  ((await (await service.request('/account', { key: account.key })).json()) as { used: object }).used;

async function run(sql: string): Promise<void> {
  const { DB } = await service.bindings();
  await DB.prepare(sql).bind().run();
}

/** While `work` runs, the database refuses what the trigger names. */
async function whileRefused<T>(what: string, work: () => Promise<T>): Promise<T> {
  await run(`create trigger refuse before ${what} begin select raise(abort, 'refused'); end`);
  try {
    return await work();
  } finally {
    await run('drop trigger refuse');
  }
}

async function start(): Promise<Job> {
  const { id } = await service.submit('/cut', body, account.key);
  return transcoder.jobOf(id);
}

async function finish(job: Job): Promise<number> {
  const result = resultOf(job, 'content');
  const { FILES } = await service.bindings();
  await FILES.put(result.files[0]?.key ?? '', 'content');
  return (await transcoder.report(job, { type: 'completed', result })).status;
}

async function nothingIsLeftOf(id: string): Promise<void> {
  expect((await read(id)).status).toBe(404);
  expect((await remove(id)).status).toBe(404);
  const { FILES } = await service.bindings();
  expect((await FILES.list({ prefix: `t/${id}/` })).objects).toEqual([]);
}

async function until(check: () => Promise<boolean>, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass within ${seconds} s`);
    await sleep(100);
  }
}

describe('DELETE', () => {
  it('of a completed task leaves nothing', async () => {
    const job = await start();
    expect(await finish(job)).toBe(200);
    expect((await remove(job.task_id)).status).toBe(200);
    await nothingIsLeftOf(job.task_id);
  });

  it('and completion at the same moment leave nothing, whichever comes first', async () => {
    for (let round = 0; round < 20; round++) {
      const job = await start();
      const racers = [() => finish(job), async () => (await remove(job.task_id)).status];
      if (round % 2 === 1) racers.reverse();
      await Promise.all(racers.map((race) => race()));
      const late = await transcoder.report(job, { type: 'completed', result: resultOf(job, 'content') });
      expect(late.status).toBe(409);
      // As the transcoder does whose result is refused.
      const { FILES } = (await service.bindings()) as unknown as {
        FILES: { delete(key: string): Promise<void> };
      };
      await FILES.delete(resultOf(job, 'content').files[0]?.key ?? '');
      await nothingIsLeftOf(job.task_id);
    }
    expect(await used()).toMatchObject({ running: 0, waiting: 0 });
  }, 120_000);

  it('twice at once succeeds once', async () => {
    const job = await start();
    const statuses = await Promise.all([remove(job.task_id), remove(job.task_id)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404]);
    await nothingIsLeftOf(job.task_id);
  });

  it('that is interrupted goes on by itself: files first, the record last', async () => {
    const job = await start();
    expect(await finish(job)).toBe(200);
    const { FILES } = await service.bindings();
    await whileRefused('delete on tasks', async () => {
      expect((await remove(job.task_id)).status).toBe(500);
      expect((await FILES.list({ prefix: `t/${job.task_id}/` })).objects).toEqual([]);
      expect((await read(job.task_id)).status).toBe(200);
    });
    await until(async () => (await read(job.task_id)).status === 404, 60);
    await nothingIsLeftOf(job.task_id);
  });
});

describe('a database that fails', () => {
  it('at the creation leaves neither a task nor a taken slot', async () => {
    const { running } = (await used()) as { running: number };
    await whileRefused('insert on tasks', async () => {
      expect((await service.request('/cut', { json: body, key: account.key })).status).toBe(500);
    });
    expect(await used()).toMatchObject({ running, waiting: 0 });
  });

  it('at the beginning of an attempt does not keep its result from counting', async () => {
    const job = await start();
    await whileRefused("update on tasks when new.status = 'processing'", async () => {
      await transcoder.report(job, {
        type: 'progress',
        stage: 'rendering',
        progress_percent: 50,
        eta_seconds: null,
      });
    });
    expect(taskSchema.parse(await (await read(job.task_id)).json()).status).toBe('queued');
    expect(await finish(job)).toBe(200);
    expect(taskSchema.parse(await (await read(job.task_id)).json())).toMatchObject({
      status: 'completed',
      attempt: 1,
    });
  });

  it('at the commit is asked again by the transcoder, and the result counts once', async () => {
    const job = await start();
    await whileRefused("update on tasks when new.status = 'completed'", async () => {
      expect(await finish(job)).toBe(500);
    });
    expect(await finish(job)).toBe(200);
    expect(await finish(job), 'an answer that was lost').toBe(200);
    expect(taskSchema.parse(await (await read(job.task_id)).json()).status).toBe('completed');
  });
});
