import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../schema/task/task.ts';
import { taskList } from '../../schema/task/task-list.ts';
import { job, type Report } from '../../schema/task/wire.ts';
import type { Member } from '../faults/fleet.ts';
import type { Fault, Link } from '../faults/link.ts';
import { accountIn, Routes } from '../faults/routes.ts';
import { type ServiceUnderFaults, startServiceUnderFaults } from '../faults/service-under-faults.ts';
import { fixtures } from '../fixtures/make.ts';
import { sleep, type TestAccount } from '../harness.ts';
import { thorough } from '../sampled.ts';
import { signalEach } from '../signal-each.ts';
import { isEncoder } from '../transcoder/transcoder-process.ts';

/** Leases and pauses are the real ones; so that they are waited for once, tests with transcoders of their own run at the same time. */
let rig: ServiceUnderFaults;
const routes = new Routes();
/** What happens to the reports about an account, by the attempt that sends them. */
const judges = new Map<string, (report: Report, attempt: number) => Fault | null>();
/** Accounts whose tasks are sent to two transcoders. */
const sentTwice = new Set<string>();
const TIMEOUT = 480_000;

beforeAll(async () => {
  rig = await startServiceUnderFaults(fixtures, routes.target);
  rig.reports.judge = ({ path, body }) => {
    const attempt = Number(path.split('/').at(-1));
    return judges.get(accountIn(path))?.(JSON.parse(body.toString()), attempt) ?? null;
  };
  rig.dispatches.judge = ({ path, body }) =>
    path === '/tasks' && sentTwice.has(accountIn(JSON.parse(body.toString()).callback_url))
      ? 'doubled'
      : null;
});
afterAll(async () => {
  await rig.close();
});

/** An account with transcoders of its own; work goes to the first that is in `turn`. */
interface Bench {
  account: TestAccount;
  members: Member[];
  store: Link;
  turn: { at: number };
}

async function withBench(
  count: number,
  work: (bench: Bench) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const store = await rig.storeLink();
  const members = Array.from({ length: count }, () => rig.member(store, { env }));
  const bench: Bench = {
    ...{ members, store, turn: { at: 0 } },
    account: await rig.service.createAccount('elite'),
  };
  routes.set(bench.account.id, () => members[bench.turn.at % count]?.url ?? null);
  await Promise.all(members.map((member) => member.start()));
  try {
    await work(bench);
  } finally {
    const left = await Promise.all(members.map((member) => member.close()));
    expect(left.flatMap(({ directories, processes }) => [...directories, ...processes])).toEqual([]);
  }
}

const completed = async ({ key }: TestAccount): Promise<number> =>
  taskList.parse(await (await rig.service.request('/tasks?status=completed&limit=100', { key })).json()).data
    .length;

async function until(check: () => Promise<boolean> | boolean, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass within ${seconds} s`);
    await sleep(100);
  }
}

/** Two minutes of picture, which take a while. */
const long = () => ({ video_url: rig.media('pauses.mp4'), height: 180 });
const LONG_FRAMES = 108 * 33;
const short = () => ({ video_url: rig.media('plain.mp4'), start: 1.1, duration: 2 });

const encodersOf = (member: Member | undefined) => member?.look().ffmpeg.filter(isEncoder) ?? [];

/** A task whose end is watched for while other things go on: requests are too slow on a busy machine to ask between two looks. */
function watched(id: string, { account }: Bench): { id: string; hasEnded: boolean } {
  const task = { id, hasEnded: false };
  const end = () => {
    task.hasEnded = true;
  };
  rig.service.finished(id, account.key, TIMEOUT / 1000).then(end, end);
  return task;
}

/** Waits for the encoder of a task and freezes it. False if the task ended before. */
async function frozenEncoder(task: { hasEnded: boolean }, { members, turn }: Bench): Promise<boolean> {
  while (!task.hasEnded) {
    const encoders = encodersOf(members[turn.at]);
    signalEach(encoders, 'SIGSTOP');
    if (encoders.length > 0) return true;
    await sleep(50);
  }
  return false;
}

/**
 * A long task that is being rendered, of which 30 % or more is done, when it resolves; its encoder waits to be thawed.
 * It runs for moments only, each longer than the one before, and is looked at while it is frozen: so it hardly ever ends first,
 * however slow the looking is, and a slow machine comes to 30 % too. Where it has ended, it is another one's turn.
 */
async function startedLong(bench: Bench): Promise<string> {
  const { account } = bench;
  for (;;) {
    const { id } = await rig.service.submit('/transcode', long(), account.key);
    const task = watched(id, bench);
    for (let moment = 150; await frozenEncoder(task, bench); moment *= 1.6) {
      // As long as it takes the transcoder to report what was done.
      await sleep(700);
      if ((await rig.service.task(id, account.key)).progress_percent >= 30) return id;
      signalEach(encodersOf(bench.members[bench.turn.at]), 'SIGCONT');
      await sleep(moment);
    }
  }
}

const thaw = (member: Member) => signalEach(member.look().ffmpeg, 'SIGCONT');

/** What a transcoder has written down of the ends of a task's attempts; it may have done other tasks before. */
const endsOf = (id: string, { process: transcoder }: Member) =>
  (transcoder?.logs ?? []).filter(({ message, task_id }) => message === 'attempt ended' && task_id === id);

/** The reports of a task's attempts that the Worker did not accept. */
const refusalsOf = (id: string, { process: transcoder }: Member) =>
  (transcoder?.logs ?? []).filter(
    ({ message, task_id }) => message === 'report not accepted' && task_id === id,
  );

const keysOf = async (id: string) =>
  (await (await rig.service.bindings()).FILES.list({ prefix: `t/${id}/` })).objects.map(({ key }) => key);

/** The task has completed with this attempt, whole, and nothing else of it is stored. */
async function completedWhole(
  id: string,
  account: TestAccount,
  attempt: number,
  seconds: number,
): Promise<void> {
  const task = await rig.service.finished(id, account.key, 200);
  expect(task.error).toBeNull();
  expect(task.attempt).toBe(attempt);
  expect(task.output?.duration).toBeCloseTo(seconds, 1);
  const response = await fetch(task.output?.file_url ?? '');
  expect(Buffer.from(await response.arrayBuffer())).toHaveLength(task.output?.file_size ?? -1);
  const alone = async () => (await keysOf(id)).length === 1;
  for (let tries = 0; tries < 300 && !(await alone()); tries++) await sleep(100);
  expect(await keysOf(id)).toEqual([expect.stringContaining(`t/${id}/${attempt}/`)]);
}

/** The events that a path was told of; a receiver that was slow to answer is told again under the same id. */
function eventsAt(path: string): string[] {
  return [...new Set(rig.receiver.at(path).map(({ headers }) => headers['webhook-id'] ?? ''))];
}

const LONG_SECONDS = (LONG_FRAMES * 1001) / 30_000;

describe.concurrent('a task', () => {
  it(
    'whose transcoder is killed at 30 % is done by the next attempt, and nothing of the first is left',
    { timeout: TIMEOUT },
    () =>
      withBench(1, async (bench) => {
        const [member] = bench.members as [Member];
        const id = await startedLong(bench);
        const { ffmpeg } = member.look();
        await member.signal('SIGKILL');
        signalEach(ffmpeg, 'SIGCONT');
        await member.start();
        await completedWhole(id, bench.account, 2, LONG_SECONDS);
      }),
  );

  thorough('whose encoder is killed at 30 % is done by the next attempt', { timeout: TIMEOUT }, () =>
    withBench(1, async (bench) => {
      const [member] = bench.members as [Member];
      const id = await startedLong(bench);
      signalEach(member.look().ffmpeg, 'SIGKILL');
      await completedWhole(id, bench.account, 2, LONG_SECONDS);
    }),
  );

  thorough(
    'whose transcoder hangs for longer than a lease is done by another; the one that wakes up stops and leaves nothing',
    { timeout: TIMEOUT },
    () =>
      withBench(2, async (bench) => {
        const [zombie] = bench.members as [Member];
        const id = await startedLong(bench);
        const { ffmpeg } = zombie.look();
        await zombie.signal('SIGSTOP');
        bench.turn.at = 1;
        await until(async () => (await rig.service.task(id, bench.account.key)).attempt === 2, 120);
        signalEach(ffmpeg, 'SIGCONT');
        await zombie.signal('SIGCONT');
        await until(() => zombie.look().ffmpeg.length === 0, 30);
        await until(() => readdirSync(zombie.workDir).length === 0, 30);
        const said = () => endsOf(id, zombie)[0];
        await until(() => said() !== undefined, 30);
        // It hears that it is stale, or its source has hung up, or it is done first. Whatever it reports is refused.
        expect(said()).toMatchObject({ attempt: 1 });
        await until(() => refusalsOf(id, zombie).length > 0, 30);
        for (const { attempt, status } of refusalsOf(id, zombie))
          expect([attempt, [404, 409, 410].includes(Number(status))]).toEqual([1, true]);
        await completedWhole(id, bench.account, 2, LONG_SECONDS);
      }),
  );

  it(
    'that is done, but told only after a lease, is done again; the late result is refused and its objects go',
    { timeout: TIMEOUT },
    () =>
      withBench(2, async (bench) => {
        const { account } = bench;
        const hook = `/late-${account.id}`;
        const input = { ...short(), callback_url: rig.receiver.origin + hook };
        let cutOff = true;
        judges.set(account.id, (report, attempt) => {
          if (attempt === 2) cutOff = false;
          return cutOff && report.type === 'completed' ? 'lost' : null;
        });
        const { id } = await rig.service.submit('/cut', input, account.key);
        await until(async () => (await keysOf(id)).length === 1, 240);
        bench.turn.at = 1;
        await completedWhole(id, account, 2, 2);
        await until(() => rig.receiver.at(hook).length > 0, 30);
        expect(eventsAt(hook)).toHaveLength(1);
      }),
  );

  thorough(
    'that is handed back thrice by transcoders that leave has not used up an attempt',
    { timeout: TIMEOUT },
    () =>
      withBench(1, async (bench) => {
        const [member] = bench.members as [Member];
        const id = await startedLong(bench);
        const task = watched(id, bench);
        let last = 0;
        for (let leave = 1; leave <= 3; leave++) {
          expect(await frozenEncoder(task, bench)).toBe(true);
          last = (await rig.service.task(id, bench.account.key)).attempt;
          await member.signal('SIGTERM');
          expect(readdirSync(member.workDir)).toEqual([]);
          await member.start();
        }
        // A dispatch that meets a leaving transcoder may have arrived: the next one has a number of its own.
        const { attempt } = await rig.service.finished(id, bench.account.key, 200);
        expect(attempt).toBeGreaterThan(last);
        await completedWhole(id, bench.account, attempt, LONG_SECONDS);
      }),
  );

  thorough(
    'whose reports all arrive twice, and whose last word is not answered at first, ends once',
    { timeout: TIMEOUT },
    () =>
      withBench(1, async (bench) => {
        const { account } = bench;
        const hook = `/once-${account.id}`;
        let unanswered = 0;
        judges.set(account.id, (report) => {
          if (report.type !== 'completed') return 'doubled';
          unanswered += 1;
          return unanswered <= 2 ? 'unanswered' : 'doubled';
        });
        const input = { ...short(), callback_url: rig.receiver.origin + hook };
        const { id } = await rig.service.submit('/cut', input, account.key);
        await completedWhole(id, account, 1, 2);
        await until(() => unanswered === 3, 30);
        await completedWhole(id, account, 1, 2);
        await until(() => rig.receiver.at(hook).length > 0, 30);
        expect(eventsAt(hook)).toHaveLength(1);
      }),
  );

  it(
    'of a line goes on in its turn when the only transcoder leaves, and when it is killed, and stays away for a while',
    { timeout: TIMEOUT },
    () =>
      withBench(1, async ({ account, members }) => {
        const [member] = members as [Member];
        const ids: string[] = [];
        const sent = new Set<string>();
        routes.set(account.id, ({ method, path, body }) => {
          if (method === 'POST' && path === '/tasks' && member.url) {
            const { task_id, attempt } = job.parse(JSON.parse(body.toString()));
            sent.add(`${task_id}/${attempt}`);
          }
          return member.url;
        });
        const input = { video_url: rig.media('plain.mp4'), height: 90 };
        while (ids.length < 12) ids.push((await rig.service.submit('/transcode', input, account.key)).id);
        for (const [done, signal] of [
          [2, 'SIGTERM'],
          [6, 'SIGKILL'],
        ] as const) {
          await until(async () => (await completed(account)) >= done, 120);
          await member.signal(signal);
          await sleep(6000);
          await member.start();
        }
        const tasks: Task[] = [];
        for (const id of ids) tasks.push(await rig.service.finished(id, account.key, 200));
        expect(tasks.map(({ error }) => error)).toEqual(ids.map(() => null));
        // Every attempt was sent to a transcoder that was there; waiting uses none up.
        const attempts = tasks.flatMap(({ id, attempt }) =>
          Array.from({ length: attempt }, (_, before) => `${id}/${before + 1}`),
        );
        expect(attempts.filter((attempt) => !sent.has(attempt))).toEqual([]);
        expect(Math.max(...tasks.map(({ attempt }) => attempt))).toBeLessThanOrEqual(3);
      }),
  );

  thorough(
    'that is sent to two transcoders is done by both and has one result, whole',
    { timeout: TIMEOUT },
    () =>
      withBench(2, async (bench) => {
        const { account, members, turn } = bench;
        routes.set(account.id, () => {
          turn.at += 1;
          return members[turn.at % 2]?.url ?? null;
        });
        sentTwice.add(account.id);
        const { id } = await rig.service.submit('/cut', short(), account.key);
        await until(() => members.flatMap((member) => endsOf(id, member)).length === 2, 120);
        await completedWhole(id, account, 1, 2);
      }),
  );

  it('whose upload is cut at half sends it again, in one piece and in parts', { timeout: TIMEOUT }, () =>
    withBench(1, async ({ account, store }) => {
      const cuts = new Set<string>();
      store.judge = ({ method, path, body }) => {
        const { pathname, searchParams } = new URL(path, 'http://store');
        const kind = searchParams.has('partNumber') ? 'part' : 'whole';
        if (method !== 'PUT' || pathname.endsWith('.upload') || cuts.has(kind) || body.length < 1000)
          return null;
        cuts.add(kind);
        return 'cut';
      };
      const small = await rig.service.submit('/cut', short(), account.key);
      const large = await rig.service.submit(
        '/transcode',
        { ...long(), quality: { video_bitrate_kbps: 2000 } },
        account.key,
      );
      await completedWhole(small.id, account, 1, 2);
      await completedWhole(large.id, account, 1, LONG_SECONDS);
      expect([...cuts].sort()).toEqual(['part', 'whole']);
    }),
  );

  thorough(
    'whose store stays away fails after three attempts as storage_failed, and leaves no object',
    { timeout: TIMEOUT },
    () =>
      withBench(
        1,
        async ({ account, store }) => {
          store.judge = ({ method }) => (method === 'PUT' ? 'cut' : null);
          const { id } = await rig.service.submit('/cut', short(), account.key);
          const task = await rig.service.finished(id, account.key);
          expect(task).toMatchObject({
            status: 'failed',
            attempt: 3,
            error: { code: 'storage_failed', fault: 'service' },
          });
          expect(await keysOf(id)).toEqual([]);
        },
        { STORE_PATIENCE_SECONDS: '1' },
      ),
  );
});

describe('a Worker that is started anew', () => {
  it('in the middle of a task goes on with the same attempt', { timeout: TIMEOUT }, () =>
    withBench(1, async (bench) => {
      const id = await startedLong(bench);
      await rig.service.restart();
      for (const member of bench.members) thaw(member);
      await completedWhole(id, bench.account, 1, LONG_SECONDS);
      expect(await (await rig.service.request('/account', { key: bench.account.key })).json()).toMatchObject({
        used: { running: 0, waiting: 0 },
      });
    }),
  );
});
