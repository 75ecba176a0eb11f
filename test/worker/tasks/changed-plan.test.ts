import { afterAll, beforeAll, expect, it } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import type { Task } from '../../../schema/task/task.ts';
import { type Service, startService, type TestAccount } from '../../harness.ts';
import { measured } from '../records-at-scale.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';

let service: Service;
let transcoder: StandIn;
let account: TestAccount;

beforeAll(async () => {
  transcoder = await startStandIn({ free: 50 });
  service = await startService({ TRANSCODER_URL: transcoder.origin });
  account = await service.createAccount('basic');
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const body = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };
const metering = { source_seconds: 60, processing_seconds: 10, bytes_read: 5 };

async function complete({ id }: Task): Promise<Task> {
  const job = await transcoder.jobOf(id);
  const report = { type: 'completed', result: resultOf(job, 'x'), metering } as const;
  expect((await transcoder.report(job, report)).status).toBe(200);
  return service.finished(id, account.key);
}

it('tasks that wait run as a changed plan says, and results stay as long, from the next task on that is handed out', async () => {
  const tasks: Task[] = [];
  for (let index = 0; index < plans.basic.running + 6; index++)
    tasks.push(await service.submit('/cut', body, account.key));
  const handedOut = () => new Set(transcoder.jobs.map((job) => job.task_id)).size;
  await expect.poll(handedOut, { timeout: 20_000 }).toBe(plans.basic.running);
  await measured(service, { sql: "update accounts set plan = 'elite' where id = ?", params: [account.id] });
  const [first, second] = tasks;
  if (!first || !second) throw new Error('no tasks');
  await complete(first);
  await expect.poll(handedOut, { timeout: 20_000 }).toBe(tasks.length);
  const done = await complete(second);
  const kept = (Date.parse(done.expires_at ?? '') - Date.parse(done.completed_at ?? '')) / 1000;
  expect(kept).toBeCloseTo(plans.elite.retention_seconds, -1);
});
