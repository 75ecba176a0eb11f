import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Member } from '../faults/fleet.ts';
import { type ServiceUnderFaults, startServiceUnderFaults } from '../faults/service-under-faults.ts';
import { fixtures } from '../fixtures/make.ts';
import { sleep } from '../harness.ts';
import { audit, type Findings } from './audit.ts';
import { heard, makeOrders, type Order, placeOrders } from './callers.ts';
import { Seeded } from './seeded.ts';
import { storm } from './storm.ts';

export interface Round {
  seed: number;
  submitted: number;
  findings: Findings;
  /** How often each fault happened. */
  faults: Record<string, number>;
  seconds: number;
}

export interface RoundOptions {
  seed: number;
  tasks: number;
  transcoders: number;
  /** Tasks come in within this time; faults happen until most tasks have ended, at most four times as long. */
  stormSeconds: number;
  /** Before the storm no transcoder can be reached for this long, while so many tasks wait in line. */
  outage: { seconds: number; tasks: number };
}

/** Room for the work of one small task, and quickly filled. */
const DISK_BYTES = 512 * 1024 * 1024;

/** This part of the tasks ends under faults. */
const MOST = 0.75;
/** When all is calm, a task ends within this time after the one before: two attempts lost by leases, a dispatch lost by the queue. */
const CALM_SECONDS = 300;
/** A receiver that was not reached is tried again after five seconds. */
const TOLD_SECONDS = 60;

/** One seed: tasks of several accounts come in while everything fails; then all is calm, and what became of them is counted. */
export async function runRound(options: RoundOptions): Promise<Round> {
  const { seed, tasks, transcoders, stormSeconds } = options;
  const began = performance.now();
  const seeded = new Seeded(seed);
  const directory = mkdtempSync(join(tmpdir(), 'spool-chaos-'));
  const members: Member[] = [];
  let turn = 0;
  const target = () => {
    turn += 1;
    const up = members.filter(({ url }) => url !== null);
    return up[turn % up.length]?.url ?? null;
  };
  const chaos = await startServiceUnderFaults(fixtures, target, { clocks: true });
  let closed = false;
  try {
    const store = await chaos.storeLink();
    members.push(
      ...Array.from({ length: transcoders }, () => chaos.member(store, { diskBytes: DISK_BYTES })),
    );
    await Promise.all(members.map((member) => member.start()));
    const { orders, accounts } = await makeOrders(chaos, tasks, seeded.fork());
    const line = await sitOut(chaos, options.outage, seeded.fork());
    const calm = new AbortController();
    const weather = { chaos, members, store, accounts, seeded: seeded.fork() };
    const [faults] = await Promise.all([
      storm(weather, calm.signal),
      placeOrders(chaos, orders, stormSeconds),
      ended(chaos, line.orders.length + tasks * MOST, stormSeconds * 4).then(() => calm.abort()),
    ]);
    await settled(chaos, CALM_SECONDS);
    const everyOrder = [...line.orders, ...orders];
    await told(chaos, everyOrder);
    closed = true;
    const left = (await Promise.all(members.map((member) => member.close()))).flatMap(
      ({ directories, processes }) => [
        ...directories.map((name) => `the directory ${name}`),
        ...processes.map((pid) => `the process ${pid}`),
      ],
    );
    await chaos.service.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date() });
    const findings = await audit(chaos, everyOrder, [...line.accounts, ...accounts], directory);
    findings.left.push(...left);
    const seconds = (performance.now() - began) / 1000;
    return { seed, submitted: everyOrder.length, findings, faults, seconds };
  } finally {
    if (!closed) await Promise.all(members.map((member) => member.close()));
    await chaos.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Tasks come in while no transcoder can be reached; whoever waits for a machine is still in line at the end of it. */
async function sitOut(
  chaos: ServiceUnderFaults,
  { seconds, tasks }: RoundOptions['outage'],
  seeded: Seeded,
): Promise<Awaited<ReturnType<typeof makeOrders>>> {
  const made = await makeOrders(chaos, tasks, seeded);
  chaos.dispatches.down = true;
  const until = Date.now() + seconds * 1000;
  await placeOrders(chaos, made.orders, Math.min(10, seconds / 2));
  await sleep(Math.max(0, until - Date.now()));
  chaos.dispatches.down = false;
  return made;
}

/** Until so many tasks have ended, or the time is up. */
async function ended({ service }: ServiceUnderFaults, count: number, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    // The Worker may be starting anew.
    if ((await countEnded(service).catch(() => 0)) >= count) return;
    await sleep(1000);
  }
}

async function countEnded(service: ServiceUnderFaults['service']): Promise<number> {
  const { DB } = await service.bindings();
  const { results } = await DB.prepare('select count(*) as count from tasks where completed_at is not null')
    .bind()
    .all<{ count: number }>();
  return results[0]?.count ?? 0;
}

/** Until every task has ended, or none has for so long: the audit says which have not. */
async function settled({ service }: ServiceUnderFaults, seconds: number): Promise<void> {
  const { DB } = await service.bindings();
  let [fewest, since] = [Number.POSITIVE_INFINITY, Date.now()];
  while (fewest > 0 && Date.now() < since + seconds * 1000) {
    const { results } = await DB.prepare(`select id from tasks where status in ('queued', 'processing')`)
      .bind()
      .all();
    if (results.length < fewest) [fewest, since] = [results.length, Date.now()];
    else await sleep(500);
  }
}

async function told({ receiver }: ServiceUnderFaults, orders: readonly Order[]): Promise<void> {
  const waiting = orders.filter(({ hook, deleteAfter }) => hook !== null && deleteAfter === null);
  for (let tries = 0; tries < TOLD_SECONDS * 2; tries++) {
    if (waiting.every((order) => heard(receiver.received, order).ids.size > 0)) return;
    await sleep(500);
  }
}
