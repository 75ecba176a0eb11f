import { afterAll, beforeAll, expect, it } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import type { Task } from '../../../schema/task/task.ts';
import { type Service, sleep, startService, type TestAccount } from '../../harness.ts';
import { atStripe, buy, somebody, startBilling, toStripe } from '../billing/stand.ts';
import { measured } from '../records-at-scale.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';

let service: Service;
let transcoder: StandIn;
/** What happens while the transcoder is asked to take a job. */
let meanwhile = async () => {};

beforeAll(async () => {
  transcoder = await startStandIn({ free: 50, onJob: () => meanwhile() });
  service = await startService({ TRANSCODER_URL: transcoder.origin });
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const body = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };
const metering = { source_seconds: 60, processing_seconds: 10, bytes_read: 5 };

async function complete({ id }: Task, account: TestAccount): Promise<Task> {
  const job = await transcoder.jobOf(id);
  const report = { type: 'completed', result: resultOf(job, 'x'), metering } as const;
  expect((await transcoder.report(job, report)).status).toBe(200);
  return service.finished(id, account.key);
}

/** As many tasks as the plan runs at the same time, which all run, and six more, which wait. */
async function moreThanRun(on: Service, key: string): Promise<{ tasks: Task[]; handedOut: () => number }> {
  const tasks: Task[] = [];
  for (let index = 0; index < plans.basic.running + 6; index++)
    tasks.push(await on.submit('/cut', body, key));
  const ids = new Set(tasks.map(({ id }) => id));
  const handedOut = () => new Set(transcoder.jobs.map((job) => job.task_id).filter((id) => ids.has(id))).size;
  await expect.poll(handedOut, { timeout: 20_000 }).toBe(plans.basic.running);
  return { tasks, handedOut };
}

function expectKeptAsOnElite({ completed_at: from, expires_at: to }: Task): void {
  const kept = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;
  expect(kept).toBeCloseTo(plans.elite.retention_seconds, -1);
}

const setElite = ({ id }: TestAccount) =>
  measured(service, { sql: "update accounts set plan = 'elite' where id = ?", params: [id] });

it('tasks that wait run as a changed plan says, and results stay as long, from the next task on that is handed out', async () => {
  const account = await service.createAccount('basic');
  const { tasks, handedOut } = await moreThanRun(service, account.key);
  await setElite(account);
  const [first, second] = tasks;
  if (!first || !second) throw new Error('no tasks');
  await complete(first, account);
  await expect.poll(handedOut, { timeout: 20_000 }).toBe(tasks.length);
  expectKeptAsOnElite(await complete(second, account));
});

it('a plan that changes while a task is handed to a machine stays changed', async () => {
  const account = await service.createAccount('basic');
  const learned = Promise.withResolvers<number>();
  meanwhile = async () => {
    meanwhile = async () => {};
    await setElite(account);
    learned.resolve((await service.request('/account', { key: account.key })).status);
  };
  const task = await service.submit('/cut', body, account.key);
  expect(await learned.promise).toBe(200);
  // The account learns that the machine has taken the task.
  await sleep(2000);
  expectKeptAsOnElite(await complete(task, account));
});

it('tasks that wait run as a plan says that the operator has set, once somebody asks what is used of it', async () => {
  const account = await service.createAccount('basic');
  const { tasks, handedOut } = await moreThanRun(service, account.key);
  await setElite(account);
  expect((await service.request('/account', { key: account.key })).status).toBe(200);
  await expect.poll(handedOut, { timeout: 20_000 }).toBe(tasks.length);
});

it('tasks that wait run at once when a larger plan is bought', async () => {
  const stand = await startBilling({ TRANSCODER_URL: transcoder.origin });
  try {
    const payer = await somebody(stand);
    await buy(stand, payer, 'basic');
    const { tasks, handedOut } = await moreThanRun(stand.service, payer.key);
    await atStripe(`${await toStripe(payer, 'plan', { plan: 'elite' })}/confirm`);
    await stand.stripe.events.settled();
    await expect.poll(handedOut, { timeout: 20_000 }).toBe(tasks.length);
  } finally {
    await stand.close();
  }
});
