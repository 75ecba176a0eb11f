import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../../schema/task/task.ts';
import { taskList } from '../../../schema/task/task-list.ts';
import { type Service, startService, type TestAccount } from '../../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';

let service: Service;
let transcoder: StandIn;
let account: TestAccount;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
  account = await service.createAccount('basic');
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const body = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };
const metering = { source_seconds: 60, processing_seconds: 10, bytes_read: 5 };

const submit = (path = '/cut', input: Record<string, unknown> = body) =>
  service.submit(path, input, account.key);

async function complete(task: Task): Promise<void> {
  const job = await transcoder.jobOf(task.id);
  const report = { type: 'completed', result: resultOf(job, 'x'), metering } as const;
  expect((await transcoder.report(job, report)).status).toBe(200);
}

const read = (id: string) => service.task(id, account.key);

describe('eta_seconds', () => {
  it('is null while nothing is known of such work', async () => {
    const task = await submit();
    expect([task.eta_seconds, (await read(task.id)).eta_seconds]).toEqual([null, null]);
    expect((await transcoder.jobOf(task.id)).expected).toBeUndefined();
    await complete(task);
  });

  it('is what such work has taken once a task of it is done, also after the object was evicted', async () => {
    await service.worker.evictDurableObject('Account', { name: account.id });
    const task = await submit();
    expect(task.eta_seconds).toBe(10);
    expect((await transcoder.jobOf(task.id)).expected).toEqual({
      typical_seconds: 10,
      fixed_seconds: 10,
      per_source_second: 0,
    });
    const other = await submit('/probe', { url: body.video_url });
    expect(other.eta_seconds).toBeNull();
    const dry = await submit('/cut', { ...body, dry_run: true });
    expect(dry.eta_seconds).toBeNull();
    for (const { id } of [task, other, dry])
      await service.request(`/task/${id}`, { method: 'DELETE', key: account.key });
  });

  it('counts those before it in line, on every surface alike, and falls as they end', async () => {
    const running = [await submit(), await submit()];
    for (const { id } of running) {
      const job = await transcoder.jobOf(id);
      await transcoder.report(job, {
        type: 'progress',
        stage: 'rendering',
        progress_percent: 40,
        eta_seconds: 6,
      });
    }
    const waiting = [await submit(), await submit(), await submit()];
    // Two run for 6 s more, on two slots: (6 + 6) / 2, and half of each before it.
    expect(waiting.map(({ eta_seconds }) => eta_seconds)).toEqual([16, 21, 26]);
    const last = waiting[2]?.id ?? '';
    expect((await read(last)).eta_seconds).toBe(26);
    const response = await service.request('/tasks?limit=5', { key: account.key });
    const listed = taskList.parse(await response.json());
    expect(listed.data.find(({ id }) => id === last)?.eta_seconds).toBe(26);
    if (running[0]) await complete(running[0]);
    expect((await read(last)).eta_seconds).toBeLessThan(26);
    for (const { id } of [...waiting, ...running])
      await service.request(`/task/${id}`, { method: 'DELETE', key: account.key });
  });

  it('of the first answer is that of the same answer again', async () => {
    const post = () =>
      service.request('/cut', { json: body, key: account.key, headers: { 'idempotency-key': 'one' } });
    const first = (await (await post()).json()) as Task;
    expect(first.eta_seconds).toBe(10);
    expect(await (await post()).json()).toEqual(first);
  });
});
