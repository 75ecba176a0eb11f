import { type Task, task as taskSchema } from '../../schema/task/task.ts';
import type { ServiceUnderFaults } from '../faults/service-under-faults.ts';
import { sleep, type TestAccount } from '../harness.ts';
import { heard, type Order } from './callers.ts';
import { wrongWith } from './wanted.ts';

/** What an audit has found; each list names what it counts. */
export interface Findings {
  completed: number;
  failed: number;
  deleted: number;
  /** Codes of the failures that no bad source explains, and how often. */
  codes: Record<string, number>;
  /** Accepted and never ended, vanished, or never told. */
  lost: string[];
  /** More than one task, event, count or visible output for one request. */
  doubled: string[];
  /** Ended otherwise than the request asks for. */
  wrong: string[];
  /** Failed although a wait would have helped: all but what machines took with them when they died. */
  hasty: string[];
  /** Slots, objects, records that nothing will use any more. */
  left: string[];
}

/** Reads of the service, and of its records, what became of every order. Everything is calm and has ended. */
export async function audit(
  chaos: ServiceUnderFaults,
  orders: readonly Order[],
  accounts: readonly TestAccount[],
  directory: string,
): Promise<Findings> {
  const found: Findings = {
    ...{ completed: 0, failed: 0, deleted: 0, codes: {} },
    ...{ lost: [], doubled: [], wrong: [], hasty: [], left: [] },
  };
  for (const order of orders) {
    const task = await read(chaos, order);
    if (order.deleteAfter !== null) {
      found.deleted += 1;
      if (order.deleted === 404) found.lost.push(`${order.taskId} was not there to be deleted`);
      if (task) found.left.push(`${order.taskId} is there after it was deleted`);
    } else if (!task) found.lost.push(`${order.taskId} has vanished`);
    else await judge(found, order, task, directory);
  }
  await Promise.all([
    tellings(found, chaos, orders),
    records(found, chaos, accounts),
    objects(found, chaos),
    slots(found, chaos, accounts),
  ]);
  return found;
}

async function read({ service }: ServiceUnderFaults, { taskId, account }: Order): Promise<Task | null> {
  for (;;) {
    const response = await service.request(`/task/${taskId}`, { key: account.key });
    if (response.status === 404) return null;
    if (response.status === 200) return taskSchema.parse(await response.json());
    if (response.status !== 429) throw new Error(`the audit was answered ${response.status}`);
    await sleep(300);
  }
}

async function judge(found: Findings, order: Order, task: Task, directory: string): Promise<void> {
  const name = `${task.id} (${task.operation})`;
  if (task.status === 'completed') {
    found.completed += 1;
    const wrong = await wrongWith(task, order.wanted, directory);
    if (wrong) found.wrong.push(`${name}: ${wrong}`);
  } else if (task.status === 'failed') {
    found.failed += 1;
    const { code = '', retryable } = task.error ?? {};
    if (order.wanted.type === 'failure' && order.wanted.code === code) return;
    found.codes[code] = (found.codes[code] ?? 0) + 1;
    if (!retryable) found.wrong.push(`${name}: failed as ${code}`);
    else if (code !== 'worker_lost') found.hasty.push(`${name}: failed as ${code}`);
  } else found.lost.push(`${name} is ${task.status}, attempt ${task.attempt}`);
}

/** Everyone who asked is told once; what was deleted may have been told before. */
async function tellings(found: Findings, { receiver }: ServiceUnderFaults, orders: readonly Order[]) {
  for (const order of orders) {
    if (order.hook === null) continue;
    const { ids } = heard(receiver.received, order);
    if (ids.size > 1) found.doubled.push(`${order.taskId}: ${ids.size} events`);
    if (ids.size === 0 && order.deleteAfter === null) found.lost.push(`${order.taskId} was not told`);
  }
}

async function records(
  found: Findings,
  { service }: ServiceUnderFaults,
  accounts: readonly TestAccount[],
): Promise<void> {
  const { DB } = await service.bindings();
  for (const { id } of accounts) {
    const twice = await DB.prepare(
      `select json_extract(metadata, '$.order') as number, count(*) as count from tasks
       where account_id = ? group by 1 having count(*) > 1`,
    )
      .bind(id)
      .all<{ number: string; count: number }>();
    for (const { number, count } of twice.results) found.doubled.push(`order ${number} is ${count} tasks`);
    const counts = await DB.prepare(
      `select (select coalesce(sum(completed + failed), 0) from usage_days where account_id = ?1) as counted,
         (select count(*) from tasks where account_id = ?1 and completed_at is not null) as ended`,
    )
      .bind(id)
      .all<{ counted: number; ended: number }>();
    const [{ counted, ended } = { counted: 0, ended: 0 }] = counts.results;
    if (counted < ended) found.lost.push(`${ended - counted} ends were not counted as usage`);
  }
}

/** After the sweep every object belongs to a result. */
async function objects(found: Findings, { service }: ServiceUnderFaults): Promise<void> {
  const { DB, FILES } = await service.bindings();
  const { results } = await DB.prepare(
    `select json_extract(file.value, '$.key') as key from tasks, json_each(tasks.result, '$.files') as file
     where tasks.status = 'completed'`,
  )
    .bind()
    .all<{ key: string }>();
  const wanted = new Set(results.map(({ key }) => key));
  const { objects: listed } = await FILES.list({ prefix: 't/' });
  const keys = listed.map(({ key }) => key);
  for (const key of keys) if (!wanted.has(key)) found.left.push(`the object ${key}`);
  for (const key of wanted) if (!keys.includes(key)) found.lost.push(`the object ${key}`);
}

async function slots(
  found: Findings,
  { service }: ServiceUnderFaults,
  accounts: readonly TestAccount[],
): Promise<void> {
  for (const { key, id } of accounts) {
    const response = await service.request('/account', { key });
    const { used } = (await response.json()) as { used: { running: number; waiting: number } };
    if (used.running + used.waiting > 0)
      found.left.push(`${id} has ${used.running} running and ${used.waiting} waiting`);
  }
}
