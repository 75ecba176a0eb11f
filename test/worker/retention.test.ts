import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planNames, plans } from '../../schema/api/plans.ts';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { type Task, task as taskSchema } from '../../schema/task/task.ts';
import type { Job } from '../../schema/task/wire.ts';
import { type Service, startService, type TestAccount } from '../harness.ts';
import { resultOf, type StandIn, startStandIn } from './stand-in.ts';

let service: Service;
let transcoder: StandIn;
let account: TestAccount;
let files: Bucket;

interface Bucket {
  put(key: string, value: string): Promise<unknown>;
  list(options: { prefix: string }): Promise<{ objects: { key: string }[]; truncated: boolean }>;
  createMultipartUpload(key: string): Promise<Upload>;
}
interface Upload {
  uploadId: string;
  uploadPart(number: number, value: string): Promise<unknown>;
}

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
  account = await service.createAccount('elite');
  files = (await service.bindings()).FILES as unknown as Bucket;
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const DAY_MS = 24 * 3600_000;
const body = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };

const sweep = async (inMs = 0) => {
  const { outcome } = await service.worker.scheduled({
    scheduledTime: new Date(Date.now() + inMs),
    cron: '*/5 * * * *',
  });
  expect(outcome).toBe('ok');
};

const keysUnder = async (prefix: string) => (await files.list({ prefix })).objects.map(({ key }) => key);
const read = (id: string, { key } = account) => service.request(`/task/${id}`, { key });
const codeOf = async (response: Response) => problemSchema.parse(await response.json()).code;

async function run(sql: string, ...values: unknown[]): Promise<void> {
  const { DB } = await service.bindings();
  await DB.prepare(sql)
    .bind(...values)
    .run();
}

async function start(by = account): Promise<Job> {
  const { id } = await service.submit('/cut', body, by.key);
  return transcoder.jobOf(id);
}

async function complete(job: Job, by = account): Promise<Task> {
  const result = resultOf(job, 'content');
  await files.put(result.files[0]?.key ?? '', 'content');
  expect((await transcoder.report(job, { type: 'completed', result })).status).toBe(200);
  return taskSchema.parse(await (await read(job.task_id, by)).json());
}

const expire = (id: string) => run('update tasks set expires_at = ? where id = ?', Date.now() - 1, id);

describe('the files of a result', () => {
  it.each(Object.entries(plans))('expire as the %s plan says', async (plan, { retention_seconds }) => {
    const by = service.accounts[plan as keyof typeof plans];
    const { completed_at, expires_at } = await complete(await start(by), by);
    expect(Date.parse(expires_at ?? '') - Date.parse(completed_at ?? '')).toBe(retention_seconds * 1000);
  });

  it('are deleted once they have expired, and the task says so and stays', async () => {
    const kept = await complete(await start());
    const task = await complete(await start());
    await expire(task.id);
    await sweep();
    expect(await keysUnder(`t/${task.id}/`)).toEqual([]);
    expect(await keysUnder(`t/${kept.id}/`)).toHaveLength(1);
    const response = await service.request(`/task/${task.id}/download`, { key: account.key });
    expect([response.status, await codeOf(response)]).toEqual([410, 'output_expired']);
    expect(await codeOf(await fetch(task.output?.file_url ?? ''))).toBe('output_expired');
    expect(taskSchema.parse(await (await read(task.id)).json())).toMatchObject({
      status: 'completed',
      completed_at: task.completed_at,
    });
  });

  it('are deleted by the next sweep where one was interrupted before it could note that', async () => {
    const task = await complete(await start());
    await expire(task.id);
    await run(
      "create trigger interrupt before update of files_removed_at on tasks begin select raise(abort, 'no'); end",
    );
    await sweep();
    expect(await keysUnder(`t/${task.id}/`)).toEqual([]);
    await run('drop trigger interrupt');
    await sweep();
    const { DB } = await service.bindings();
    const { results } = await DB.prepare('select files_removed_at from tasks where id = ?')
      .bind(task.id)
      .all<{ files_removed_at: number | null }>();
    expect(results[0]?.files_removed_at).toBeGreaterThan(0);
  });
});

describe('objects that nobody will ask for', () => {
  it('are deleted, and no others', async () => {
    const done = await start();
    await transcoder.report(done, { type: 'released' });
    const second = await transcoder.jobOf(done.task_id, 2);
    await complete(second);
    await files.put(`${done.output_prefix}clip.mp4`, 'of an earlier attempt');
    await files.put(`${second.output_prefix}half.mp4`, 'not in the result');
    const failed = await start();
    const failure = { code: 'render_failed', detail: 'No.', stage: 'rendering' } as const;
    await transcoder.report(failed, { type: 'failed', failure });
    await files.put(`${failed.output_prefix}clip.mp4`, 'of a task that failed');
    const deleted = await start();
    await service.request(`/task/${deleted.task_id}`, { method: 'DELETE', key: account.key });
    await files.put(`${deleted.output_prefix}clip.mp4`, 'stored after the task was deleted');
    const live = await start();
    await files.put(`${live.output_prefix}clip.mp4`, 'not committed yet');
    await files.put('samples/kept.txt', 'of the operator');
    await files.put('t/readme.txt', 'of somebody else');
    await sweep();
    expect(await keysUnder(`t/${done.task_id}/`)).toEqual([`${second.output_prefix}cut.mp4`]);
    expect(await keysUnder(`t/${failed.task_id}/`)).toEqual([]);
    expect(await keysUnder(`t/${deleted.task_id}/`)).toEqual([]);
    expect(await keysUnder(`t/${live.task_id}/`)).toHaveLength(1);
    expect(await keysUnder('samples/kept')).toHaveLength(1);
    expect(await keysUnder('t/readme')).toHaveLength(1);
  });

  it('include uploads in parts that were never finished', async () => {
    const prefix = `t/task_${'0'.repeat(26)}/1/`;
    const upload = await files.createMultipartUpload(`${prefix}clip.mp4`);
    await upload.uploadPart(1, 'part');
    await files.put(`${prefix}clip.mp4.upload`, upload.uploadId);
    await sweep();
    expect(await keysUnder(prefix)).toEqual([]);
    await expect(upload.uploadPart(2, 'late')).rejects.toThrow();
  });

  it('are found on every page of the listing, where the sweep before ended first', async () => {
    const prefix = `t/task_${'1'.repeat(26)}/1/`;
    for (let page = 0; page < 11; page++)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => files.put(`${prefix}${page}-${index}.jpg`, 'x')),
      );
    await run(
      `insert or replace into sweep_positions (prefix, after_key) values ('t/', ?)`,
      `${prefix}5-0.jpg`,
    );
    await sweep();
    const left = await keysUnder(prefix);
    expect(left.length).toBeGreaterThan(100);
    expect(left.every((key) => key <= `${prefix}5-0.jpg`)).toBe(true);
    await sweep();
    expect(await keysUnder(prefix)).toEqual([]);
    // A busy machine takes a minute to store a thousand objects.
  }, 240_000);
});

describe('the record of a task', () => {
  it.each(planNames)('is kept after its end as the %s plan says, and not longer', async (plan) => {
    const by = await service.createAccount(plan);
    const { record_seconds } = plans[plan];
    const task = await complete(await start(by), by);
    const failing = await start(by);
    const failure = { code: 'render_failed', detail: 'No.', stage: 'rendering' } as const;
    await transcoder.report(failing, { type: 'failed', failure });
    const ids = [task.id, failing.task_id];
    const statuses = () => Promise.all(ids.map(async (id) => (await read(id, by)).status));
    await sweep(record_seconds * 1000 - DAY_MS);
    expect(await statuses()).toEqual([200, 200]);
    expect(await keysUnder(`t/${task.id}/`)).toEqual([]);
    const download = await service.request(`/task/${task.id}/download`, { key: by.key });
    expect([download.status, await codeOf(download)]).toEqual([410, 'output_expired']);
    await sweep(record_seconds * 1000 + DAY_MS);
    expect(await statuses()).toEqual([404, 404]);
  });
});
