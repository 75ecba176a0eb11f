import { drizzle } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planOf } from '../../schema/api/plans.ts';
import { hashKey } from '../../worker/lib/api-key.ts';
import { liveRowsQuery } from '../../worker/repos/line.ts';
import { pollStatement } from '../../worker/repos/poll.ts';
import { type TaskFilter, taskListQuery } from '../../worker/repos/task-list.ts';
import { type DeliveryFilter, deliveryListQuery } from '../../worker/repos/webhook-deliveries.ts';
import { type Service, secrets, startService, type TestAccount } from '../harness.ts';
import { measured, RARE, writeDeliveries, writeTasks } from './records-at-scale.ts';

const ENDED = 100_000;
const { waiting: WAITING, running: RUNNING } = planOf('elite');
/** The largest page and the row that says whether there are more. */
const LIMIT = 101;
/** Rows that a statement reads beyond those it returns. */
const SLACK = 5;
const until = Date.now();
const moment = (secondsBefore: number) => until - secondsBefore * 1000;
/** Statements are only printed here; the service's own D1 runs them. */
const printed = drizzle({} as never);
const dialect = new SQLiteAsyncDialect();

let service: Service;
let account: TestAccount;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
  account = await service.createAccount('elite');
  await writeTasks(service, account, { ended: ENDED, waiting: WAITING, until });
  await writeDeliveries(service, account, { count: ENDED, until });
}, 300_000);
afterAll(() => service.close());

const statuses: TaskFilter[] = [{}, { status: 'completed' }, { status: RARE.status }, { status: 'queued' }];
const operations: TaskFilter[] = [{}, { operation: 'cut' }, { operation: RARE.operation }];
const times: TaskFilter[] = [
  {},
  { createdAfter: moment(90_000) },
  { createdBefore: moment(50_000) },
  { createdAfter: moment(60_000), createdBefore: moment(50_000) },
  { createdAfter: moment(60_000), createdBefore: moment(59_990) },
];
const cursors: TaskFilter[] = [
  {},
  { after: { createdAt: moment(55_000), id: `task_${'0'.repeat(26)}` } },
  { after: { createdAt: until + 3600_000, id: `task_${'z'.repeat(26)}` } },
];
const filters = statuses.flatMap((status) =>
  operations.flatMap((operation) =>
    times.flatMap((time) =>
      cursors.map((cursor): [string, TaskFilter] => {
        const filter = { ...status, ...operation, ...time, ...cursor };
        return [JSON.stringify(filter), filter];
      }),
    ),
  ),
);

describe('at 100,000 records of one account, D1 reads no more rows than it returns for', () => {
  it.each(filters)('a page of tasks with %s', async (_, filter) => {
    const page = await measured(service, dialect.sqlToQuery(taskListQuery(account.id, filter, LIMIT)));
    expect(page.rowsRead).toBeLessThanOrEqual(page.rows.length + SLACK);
  });

  it.each<[string, DeliveryFilter]>([
    ['nothing', {}],
    ['a common status', { status: 'delivered' }],
    ['a rare status', { status: 'failed' }],
    ['a status nothing has', { status: 'pending' }],
    ['a task', { taskId: 'task_77' }],
    ['a task and a status', { taskId: 'task_77', status: 'failed' }],
    ['a cursor', { before: 'whd_0000050000' }],
    ['a status and a cursor', { status: 'failed', before: 'whd_0000050000' }],
  ])('a page of webhook deliveries that is filtered by %s', async (_, filter) => {
    const page = await measured(service, deliveryListQuery(printed, account.id, filter, LIMIT).toSQL());
    expect(page.rowsRead).toBeLessThanOrEqual(page.rows.length + SLACK);
  });
});

describe('the place of tasks in the line', () => {
  it('is read once for a whole page, and costs the rows of the line', async () => {
    const statement = liveRowsQuery(printed, account.id).toSQL();
    const { rows, rowsRead } = await measured(service, statement);
    expect(rows).toHaveLength(WAITING);
    expect(rowsRead).toBeLessThanOrEqual(WAITING + RUNNING + SLACK);
  });

  it('is the same in a list as in a poll', async () => {
    const page = await service.request('/tasks?status=queued&limit=100', { key: account.key });
    const { data } = (await page.json()) as { data: { id: string; queue_position: number }[] };
    expect(data.map((task) => task.queue_position)).toEqual(
      Array.from({ length: 100 }, (_, index) => WAITING - index),
    );
    for (const listed of [data[0], data[50]]) {
      const polled = await service.request(`/task/${listed?.id}`, { key: account.key });
      expect(listed).toEqual(await polled.json());
    }
  });
});

describe('a poll', () => {
  const rowsRead = async (id: string) =>
    (await measured(service, pollStatement(await hashKey(account.key, secrets.KEY_PEPPER), id, Date.now())))
      .rowsRead;
  const idOf = async (seq: number) => {
    const sql = 'select id from tasks where account_id = ? and seq = ?';
    const { rows } = await measured<{ id: string }>(service, { sql, params: [account.id, seq] });
    return rows[0]?.id ?? '';
  };

  it('of a task that has ended, or of none, reads its own rows alone', async () => {
    expect(await rowsRead(await idOf(ENDED / 2))).toBeLessThanOrEqual(SLACK);
    expect(await rowsRead(`task_${'0'.repeat(26)}`)).toBeLessThanOrEqual(SLACK);
  });

  it('of a task in line reads the line before it, which the plan bounds', async () => {
    expect(await rowsRead(await idOf(ENDED + 1))).toBeLessThanOrEqual(1 + SLACK);
    expect(await rowsRead(await idOf(ENDED + WAITING))).toBeLessThanOrEqual(WAITING + RUNNING + SLACK);
  });
});
