import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../../schema/task/task.ts';
import type { Job } from '../../../schema/task/wire.ts';
import { sleep, type TestAccount } from '../../harness.ts';
import { resultOf } from '../stand-in.ts';
import { closeStand, read, service, startStand, transcoder } from './stand.ts';

let account: TestAccount;

beforeAll(startStand);
beforeAll(async () => {
  account = await service.createAccount('elite');
});
afterAll(closeStand);

const body = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };

const submit = (source?: string | Task, by = account): Promise<Task> => {
  const id = typeof source === 'object' ? `task:${source.id}` : source;
  return service.submit('/cut', id === undefined ? body : { ...body, video_url: id }, by.key);
};

async function complete(job: Job): Promise<void> {
  const result = resultOf(job, 'content');
  const { FILES } = await service.bindings();
  await FILES.put(result.files[0]?.key ?? '', 'content');
  expect((await transcoder.report(job, { type: 'completed', result })).status).toBe(200);
}

const failure = { code: 'render_failed', detail: 'The filter broke.', stage: 'rendering' } as const;
const sentOf = (task: Task) => transcoder.jobs.filter((job) => job.task_id === task.id);
/** Long enough for a dispatch. */
const pause = () => sleep(1500);
const remove = (task: Task, by = account) =>
  service.request(`/task/${task.id}`, { method: 'DELETE', key: by.key });

describe('a task whose source has not ended', () => {
  it('is accepted, holds no slot, and starts once its source is completed', async () => {
    const by = await service.createAccount('basic');
    const source = await submit(undefined, by);
    const job = await transcoder.jobOf(source.id);
    const waiting = await submit(source, by);
    expect(waiting.status).toBe('queued');
    // The second of the two slots of the plan is free for a task that can use it.
    const other = await submit(undefined, by);
    await transcoder.jobOf(other.id);
    await pause();
    expect(sentOf(waiting)).toEqual([]);
    expect((await read(waiting.id, by.key)).status).toBe('queued');
    await complete(job);
    const next = await transcoder.jobOf(waiting.id);
    expect(next.stored_sources).toEqual({ [`task:${source.id}`]: `${job.output_prefix}cut.mp4` });
  });

  it('waits in a chain, and for each of several sources', async () => {
    const first = await submit();
    const second = await submit(first);
    const third = await submit(second);
    const merge = await service.submit(
      '/merge_urls',
      { urls: [`task:${first.id}`, { url: `task:${third.id}` }] },
      account.key,
    );
    for (const task of [first, second, third]) {
      const job = await transcoder.jobOf(task.id);
      await pause();
      expect(sentOf(merge)).toEqual([]);
      await complete(job);
    }
    expect(Object.keys((await transcoder.jobOf(merge.id)).stored_sources)).toHaveLength(2);
  });

  it('fails with the error of its source named, and so does what reads it', async () => {
    const source = await submit();
    const reader = await submit(source);
    const last = await submit(reader);
    await transcoder.report(await transcoder.jobOf(source.id), { type: 'failed', failure });
    const ended = await service.finished(reader.id, account.key, 20);
    expect(ended.error).toMatchObject({
      ...{ code: 'source_task_failed', fault: 'source', stage: 'waiting', source_index: 0, retryable: false },
      detail: `The source ${source.id} failed with render_failed: The filter broke.`,
    });
    expect((await service.finished(last.id, account.key, 20)).error?.detail).toBe(
      `The source ${reader.id} failed with source_task_failed: ${ended.error?.detail}`,
    );
    expect([sentOf(reader), sentOf(last)]).toEqual([[], []]);
  });

  it('fails if its source is deleted, running or in line', async () => {
    const source = await submit();
    await transcoder.jobOf(source.id);
    const reader = await submit(source);
    const last = await submit(reader);
    expect((await remove(source)).status).toBe(200);
    expect((await service.finished(reader.id, account.key, 20)).error?.code).toBe('source_gone');
    expect((await service.finished(last.id, account.key, 20)).error?.code).toBe('source_task_failed');
    const running = await submit();
    const job = await transcoder.jobOf(running.id);
    const middle = await submit(running);
    const end = await submit(middle);
    expect((await remove(middle)).status).toBe(200);
    expect((await service.finished(end.id, account.key, 20)).error?.code).toBe('source_gone');
    await complete(job);
  });

  it('fails if its source was a dry run, which has no output', async () => {
    const source = await service.submit('/cut', { ...body, dry_run: true }, account.key);
    const job = await transcoder.jobOf(source.id);
    const reader = await submit(source);
    const metering = { source_seconds: 1, processing_seconds: 1, bytes_read: 1 };
    const plan = {
      ...{ sources: [], files: [{ role: 'video', file_name: 'cut.mp4', media_type: 'video/mp4' }] },
      ...{ duration: 5, width: 640, height: 360, fps: 30, data: {}, time_map: [] },
    };
    const reported = await transcoder.report(job, { type: 'planned', plan, warnings: [], metering });
    expect(reported.status).toBe(200);
    const { error } = await service.finished(reader.id, account.key, 20);
    expect(error).toMatchObject({
      code: 'source_task_failed',
      detail: `The source ${source.id} was a dry run and has no output.`,
    });
  });

  it('survives the loss of the account’s object: it still waits, and starts afterwards', async () => {
    const source = await submit();
    const job = await transcoder.jobOf(source.id);
    const reader = await submit(source);
    await service.restart();
    await pause();
    expect(sentOf(reader)).toEqual([]);
    await complete(job);
    await transcoder.jobOf(reader.id);
  });

  it('can be deleted while it waits', async () => {
    const source = await submit();
    const job = await transcoder.jobOf(source.id);
    const reader = await submit(source);
    expect((await remove(reader)).status).toBe(200);
    await complete(job);
    await pause();
    expect(sentOf(reader)).toEqual([]);
  });

  it('counts in the line of the plan, whose end is refused as ever', async () => {
    const by = await service.createAccount('basic');
    let latest = await submit(undefined, by);
    await transcoder.jobOf(latest.id);
    let refused: Response | null = null;
    for (let count = 0; count < 30 && !refused; count++) {
      const json = { ...body, video_url: `task:${latest.id}` };
      const response = await service.request('/cut', { json, key: by.key });
      if (response.status === 202) latest = (await response.json()) as Task;
      else refused = response;
    }
    expect(await refused?.json()).toMatchObject({ status: 429, code: 'queue_full' });
  });
});
