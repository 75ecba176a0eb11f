import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Job } from '../../../schema/task/wire.ts';
import { Seeded } from '../../chaos/seeded.ts';
import { sleep, type TestAccount } from '../../harness.ts';
import { resultOf, type StandIn } from '../stand-in.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import type { Mode } from './plan.ts';
import { ask, callsOf, closeStand, rows, service, startStand } from './stand.ts';

/**
 * Lives of tasks in each of which one call fails. `FAULT_SEED` chooses which ones; `FAULT_RUNS` is how many lives there are.
 */
const SEED = Number(process.env.FAULT_SEED ?? 1);
const RUNS = Number(process.env.FAULT_RUNS ?? 40);
const AT_ONCE = 8;
/** A life makes about this many calls. */
const CALLS = 32;

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  await startStand({ SPOOL_DEV_ORIGINS: receiver.origin }, (job, standIn) => void work(job, standIn));
});
afterAll(async () => {
  await closeStand();
  await receiver.close();
});

const bucket = async () =>
  (await service.bindings()).FILES as unknown as {
    put(key: string, value: string): Promise<unknown>;
    delete(key: string): Promise<unknown>;
    list(options: { prefix: string }): Promise<{ objects: { key: string }[] }>;
  };

/** Stores a result and reports it, as a transcoder does: again where the Worker fails, and deleting it where it is stale. */
async function work(job: Job, standIn: StandIn): Promise<void> {
  const result = resultOf(job, 'x');
  const key = result.files[0]?.key ?? '';
  await (await bucket()).put(key, 'x');
  for (const pause of [0, 200, 500, 1000, 2000]) {
    await sleep(pause);
    const { status } = await standIn.report(job, { type: 'completed', result });
    if (status < 300) return;
    if (status < 500) break;
  }
  await (await bucket()).delete(key);
}

interface Life {
  account: TestAccount;
  fault: { nth: number; mode: Mode };
  /** The task that was acknowledged, and whether it was deleted. */
  id: string;
  deleted: boolean;
}

/** Repeats a request until the service has not failed. */
async function insist(life: Life, path: string, init: Parameters<typeof ask>[2] = {}) {
  for (let tries = 0; ; tries++) {
    const response = await ask(path, life.account, init);
    const { status } = response;
    const text = await response.text();
    if (status >= 500) {
      expect([path, status, response.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(text).not.toContain('injected');
    }
    if ((status < 500 && status !== 409) || tries === 5) return { status, body: JSON.parse(text) };
    await sleep(100);
  }
}

async function live(life: Life, deletes: boolean): Promise<void> {
  const { account, fault } = life;
  await service.request('/faults', { json: { scope: account.id, ...fault } });
  const json = {
    ...{ video_url: 'https://media.example.com/talk.mp4', duration: 5 },
    callback_url: `${receiver.origin}/${account.id}`,
  };
  const headers = { 'idempotency-key': 'one' };
  const first = await insist(life, '/cut', { json, headers });
  const second = await insist(life, '/cut', { json, headers });
  expect([first.status, second.status, second.body.id]).toEqual([202, 202, first.body.id]);
  life.id = first.body.id;
  const read = async () => (await insist(life, `/task/${life.id}`)).body.status;
  for (let tries = 0; tries < 20 && (await read()) !== 'completed'; tries++) await sleep(100);
  if (!deletes) return;
  expect([200, 404]).toContain((await insist(life, `/task/${life.id}`, { method: 'DELETE' })).status);
  life.deleted = true;
  expect((await insist(life, `/task/${life.id}`)).status).toBe(404);
}

/** Lets the time pass in which lost messages and unfinished work are noticed, for the accounts that still have any. */
async function passTime(accounts: readonly TestAccount[]): Promise<void> {
  await service.request('/calm', { method: 'POST' });
  let busy = accounts.map(({ id }) => id);
  // Less than five minutes in all: no signature is older.
  for (const ahead of [65_000, 130_000, 195_000, 260_000]) {
    await service.request(`/ahead/${ahead}`, { method: 'POST' });
    busy = (await (await service.request('/ring', { json: busy })).json()) as string[];
    await service.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date(Date.now() + ahead) });
    await sleep(1500);
  }
}

/** What is wrong with an account once all is over. */
async function wrongWith({ account, id, deleted }: Life): Promise<string[]> {
  const wrong: string[] = [];
  const tasks = await rows<{ id: string; status: string }>(
    'select id, status from tasks where account_id = ?',
    account.id,
  );
  const wanted = deleted ? [] : [{ id, status: 'completed' }];
  if (JSON.stringify(tasks) !== JSON.stringify(wanted)) wrong.push(`tasks: ${JSON.stringify(tasks)}`);
  const { objects } = await (await bucket()).list({ prefix: `t/${id}/` });
  if (objects.length !== wanted.length) wrong.push(`${objects.length} objects`);
  const left = await (await service.request(`/left/${account.id}`)).text();
  if (left !== '{"tasks":[],"deletions":[],"keys":0}') wrong.push(`in its object: ${left}`);
  const [usage] = await rows<{ count: number }>(
    'select coalesce(sum(completed + 100 * failed), 0) as count from usage_days where account_id = ?',
    account.id,
  );
  if (usage?.count !== 1 && !(deleted && usage?.count === 0)) wrong.push(`usage: ${usage?.count}`);
  const events = receiver.received.filter(({ path }) => path === `/${account.id}`);
  if (!deleted && events.length === 0) wrong.push('no webhook came');
  if (events.some(({ body }) => JSON.parse(body).data.object.status !== 'completed'))
    wrong.push('a webhook shows another status');
  return wrong;
}

it('a task is not lost, doubled, stuck or lied about where any one call fails', async () => {
  const seeded = new Seeded(SEED);
  const lives: [Life, boolean][] = [];
  for (let run = 0; run < RUNS; run++) {
    const mode = seeded.pick(['before', 'after'] as const);
    const nth = Math.floor(seeded.between(0, CALLS));
    const account = await service.createAccount('elite');
    lives.push([{ account, fault: { nth, mode }, id: '', deleted: false }, seeded.chance(0.3)]);
  }
  const left = [...lives];
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) await live(...next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await passTime(lives.map(([{ account }]) => account));
  const found: unknown[] = [];
  for (const [life] of lives) {
    const wrong = await wrongWith(life);
    const at = (await callsOf(life.account)).find(({ fault }) => fault !== null)?.label;
    if (wrong.length > 0) found.push({ ...life.fault, at, wrong });
  }
  expect(found).toEqual([]);
}, 300_000);
