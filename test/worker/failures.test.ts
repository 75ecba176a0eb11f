import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../schema/task/task.ts';
import type { Job, Report } from '../../schema/task/wire.ts';
import { Routes } from '../faults/routes.ts';
import { type ServiceUnderFaults, startServiceUnderFaults } from '../faults/service-under-faults.ts';
import { sleep, type TestAccount } from '../harness.ts';
import { resultOf, type StandIn, startStandIn } from './stand-in.ts';

/** The leases and pauses are the real ones; so that they are waited for once, all tests run at the same time. */
let rig: ServiceUnderFaults;
let transcoder: StandIn;
const routes = new Routes();

beforeAll(async () => {
  transcoder = await startStandIn({ free: 100 });
  rig = await startServiceUnderFaults(import.meta.dirname, routes.target, {
    entry: 'test/worker/faulty-worker.ts',
  });
  // The service learns how much its machines can take: otherwise a dispatch lost below may be the one that all others wait for.
  const account = await newAccount();
  const { id } = await rig.service.submit('/cut', cut, account.key);
  expect(await complete(await jobOf(id, 1, 100))).toBe(200);
}, 180_000);
afterAll(async () => {
  await rig.close();
  await transcoder.close();
});

const cut = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };
const rendering = { type: 'progress', stage: 'rendering', progress_percent: 50, eta_seconds: 1 } as const;

async function newAccount(origin = () => transcoder.origin as string | null): Promise<TestAccount> {
  const account = await rig.service.createAccount('elite');
  routes.set(account.id, origin);
  return account;
}

const strike = (account: TestAccount, faults: object) =>
  rig.service.request(`/faults/${account.id}`, { json: faults });
const read = (id: string, { key }: TestAccount): Promise<Task> => rig.service.task(id, key);
const sweep = () => rig.service.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date() });

async function until(check: () => Promise<boolean> | boolean, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass within ${seconds} s`);
    await sleep(200);
  }
}

/** The job of this attempt, however long it takes to come. */
async function jobOf(id: string, attempt: number, seconds: number): Promise<Job> {
  const found = () => transcoder.jobs.find((job) => job.task_id === id && job.attempt === attempt);
  await until(() => found() !== undefined, seconds);
  return found() as Job;
}

const complete = async (job: Job) =>
  (await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') })).status;

async function deadLetters(queue: string, about: string): Promise<number> {
  const { DB } = await rig.service.bindings();
  const { results } = await DB.prepare('select body from dead_letters where queue = ?')
    .bind(queue)
    .all<{ body: string }>();
  return results.filter(({ body }) => body.includes(about)).length;
}

describe.concurrent('a dispatch', () => {
  it('that the queue refuses after the task was recorded is sent again', { timeout: 240_000 }, async () => {
    const account = await newAccount();
    await strike(account, { send_throws: 1 });
    const { id } = await rig.service.submit('/cut', cut, account.key);
    expect((await read(id, account)).status).toBe('queued');
    expect(await complete(await jobOf(id, 1, 200))).toBe(200);
    expect(await read(id, account)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('that the queue loses is sent again', { timeout: 240_000 }, async () => {
    const account = await newAccount();
    await strike(account, { send_vanishes: 1 });
    const { id } = await rig.service.submit('/cut', cut, account.key);
    expect(await complete(await jobOf(id, 1, 200))).toBe(200);
    expect(await read(id, account)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('that was taken, and of which nothing is heard, is given to one more machine, and to no third', {
    timeout: 180_000,
  }, async () => {
    const account = await newAccount();
    const { id } = await rig.service.submit('/cut', cut, account.key);
    const first = await jobOf(id, 1, 20);
    expect(await read(id, account)).toMatchObject({ status: 'queued', started_at: null });
    await jobOf(id, 2, 60);
    expect(await complete(first)).toBe(409);
    const ended = await rig.service.finished(id, account.key, 60);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'worker_lost', fault: 'service' } });
    expect(ended.error?.detail).toContain('twice');
    const sent = transcoder.jobs.filter((job) => job.task_id === id);
    expect(sent.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('begins when the work starts, not while it waits at the machine', { timeout: 60_000 }, async () => {
    const account = await newAccount();
    const { id } = await rig.service.submit('/cut', cut, account.key);
    const job = await jobOf(id, 1, 20);
    const waiting = { type: 'progress', stage: 'waiting', progress_percent: 0, eta_seconds: null } as const;
    expect((await transcoder.report(job, waiting)).status).toBe(200);
    expect(await read(id, account)).toMatchObject({
      ...{ status: 'queued', started_at: null, queue_position: 1 },
    });
    await transcoder.report(job, rendering);
    await until(async () => (await read(id, account)).started_at !== null, 20);
    expect(await complete(job)).toBe(200);
  });

  it('that the queue brings twice is sent once', { timeout: 60_000 }, async () => {
    const account = await newAccount();
    const { id } = await rig.service.submit('/cut', cut, account.key);
    const first = await jobOf(id, 1, 20);
    const { DISPATCH } = await rig.service.bindings();
    const message = {
      v: 1,
      task_id: id,
      account_id: account.id,
      attempt: 1,
      slot: 0,
      request_id: 'req_again',
    };
    await DISPATCH.send(message);
    const sent = () => transcoder.jobs.filter((job) => job.task_id === id);
    await sleep(1000);
    expect(await complete(first)).toBe(200);
    await DISPATCH.send({ ...message, request_id: 'req_late' });
    await sleep(1000);
    expect(sent()).toEqual([first]);
    expect(await read(id, account)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('that cannot be read is kept as a dead letter', { timeout: 60_000 }, async () => {
    const { DISPATCH } = await rig.service.bindings();
    const task_id = `unreadable-${crypto.randomUUID()}`;
    await DISPATCH.send({ v: 99, task_id });
    await until(async () => (await deadLetters('spool-dispatch', task_id)) === 1, 30);
  });
});

describe.concurrent('the alarm of an account', () => {
  it('that fails seven times rings until it has done its work', { timeout: 240_000 }, async () => {
    const account = await newAccount();
    const { id } = await rig.service.submit('/cut', cut, account.key);
    const job = await jobOf(id, 1, 20);
    await transcoder.report(job, rendering);
    await strike(account, { save_throws: 7 });
    const next = await jobOf(id, 2, 200);
    await transcoder.report(next, rendering);
    await until(async () => (await read(id, account)).attempt === 2, 20);
    await rig.service.worker.evictDurableObject('Account', { name: account.id });
    expect(await complete(next)).toBe(200);
    expect(await complete(job)).toBe(409);
  });

  it('that never rings is made up for by the sweeper', { timeout: 120_000 }, async () => {
    const account = await newAccount();
    const { id } = await rig.service.submit('/cut', cut, account.key);
    const job = await jobOf(id, 1, 20);
    await strike(account, { alarm_vanishes: 1000 });
    await transcoder.report(job, rendering);
    await until(async () => (await read(id, account)).status === 'processing', 20);
    await sleep(40_000);
    expect((await read(id, account)).status).toBe('processing');
    await strike(account, {});
    await sweep();
    expect(await complete(await jobOf(id, 2, 30))).toBe(200);
  });
});

describe.concurrent('a report', () => {
  it('that comes after the end of its attempt changes nothing', { timeout: 60_000 }, async () => {
    const account = await newAccount();
    const { id } = await rig.service.submit('/cut', cut, account.key);
    const job = await jobOf(id, 1, 20);
    expect(await complete(job)).toBe(200);
    const before = await read(id, account);
    const failure = { code: 'render_failed', detail: 'No.', stage: 'rendering' } as const;
    const late: Without<Report>[] = [rendering, { type: 'released' }, { type: 'failed', failure }];
    for (const report of late) expect((await transcoder.report(job, report)).status).toBe(409);
    expect(await read(id, account)).toEqual({ ...before, output: expect.anything() });
  });

  it('of a deleted task is refused, whatever it says', { timeout: 60_000 }, async () => {
    const account = await newAccount();
    const { id } = await rig.service.submit('/cut', cut, account.key);
    const job = await jobOf(id, 1, 20);
    await transcoder.report(job, rendering);
    expect((await rig.service.request(`/task/${id}`, { method: 'DELETE', key: account.key })).status).toBe(
      200,
    );
    const failure = { code: 'render_failed', detail: 'No.', stage: 'rendering' } as const;
    const late: Without<Report>[] = [rendering, { type: 'released' }, { type: 'failed', failure }];
    for (const report of late) expect((await transcoder.report(job, report)).status).toBe(409);
    expect(await complete(job)).toBe(409);
  });
});

type Without<T> = T extends unknown ? Omit<T, 'v'> : never;

describe.concurrent('a webhook', () => {
  it('whose attempts cannot be noted is kept as a dead letter, and sent by the sweeper', {
    timeout: 240_000,
  }, async () => {
    const account = await newAccount();
    const hook = `/late-${account.id}`;
    const { DB } = await rig.service.bindings();
    const run = (sql: string) => DB.prepare(sql).bind().run();
    const input = { ...cut, callback_url: rig.receiver.origin + hook };
    const { id } = await rig.service.submit('/cut', input, account.key);
    await run(
      `create trigger refuse_notes before update on webhook_deliveries when new.account_id = '${account.id}'
       begin select raise(abort, 'refused'); end`,
    );
    expect(await complete(await jobOf(id, 1, 20))).toBe(200);
    const { results } = await DB.prepare('select id from webhook_deliveries where task_id = ?')
      .bind(id)
      .all<{ id: string }>();
    await until(async () => (await deadLetters('spool-webhooks-dead', results[0]?.id ?? '')) === 1, 150);
    expect(rig.receiver.at(hook)).toEqual([]);
    await run('drop trigger refuse_notes');
    await until(async () => {
      await sweep();
      return rig.receiver.at(hook).length > 0;
    }, 60);
    expect(rig.receiver.at(hook)).toHaveLength(1);
  });
});

/** By itself: its sweeps are about all accounts. */
describe('a task that waits for long', () => {
  const columns =
    'account_id, seq, request_id, operation, status, stage, progress_percent, attempt, input, metadata';

  it('is left to wait where its account holds it; where nobody does it fails, be it one of many', {
    timeout: 120_000,
  }, async () => {
    const account = await newAccount(() => null);
    const { id } = await rig.service.submit('/cut', cut, account.key);
    const { DB } = await rig.service.bindings();
    const run = (sql: string) => DB.prepare(sql).bind(account.id).run();
    await run(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 250)
       insert into tasks (id, created_at, ${columns})
       select substr(id, 1, 27) || substr('000' || n, -4), created_at, ${columns} from tasks, numbers where account_id = ?`,
    );
    const ofStatus = async (status: string) =>
      (
        await DB.prepare('select id from tasks where account_id = ? and status = ?')
          .bind(account.id, status)
          .all<{ id: string }>()
      ).results;
    await sweep();
    expect(await ofStatus('queued')).toHaveLength(251);
    await run('update tasks set created_at = created_at - 16 * 60000 where account_id = ?');
    await run("update tasks set stage = 'rendering' where account_id = ? and id like '%0250'");
    await until(async () => {
      await sweep();
      return (await ofStatus('failed')).length === 250;
    }, 60);
    expect(await ofStatus('queued')).toEqual([{ id }]);
    expect((await read(`${id.slice(0, 27)}0250`, account)).error).toMatchObject({
      code: 'worker_lost',
      detail: 'The machine that processed this task was lost.',
      stage: 'rendering',
    });
    routes.set(account.id, () => transcoder.origin);
    const begun = () => transcoder.jobs.find((job) => job.task_id === id);
    await until(() => begun() !== undefined, 90);
    expect(await complete(begun() as Job)).toBe(200);
  });
});
