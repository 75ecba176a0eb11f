import { errorEntry } from '../../schema/api/errors.ts';
import { operationNames } from '../../schema/operations/index.ts';
import { idHead } from '../../schema/task/ids.ts';
import type { Service, TestAccount } from '../harness.ts';

export interface Statement {
  sql: string;
  params: unknown[];
}

interface Database {
  prepare(sql: string): {
    bind(...values: unknown[]): {
      all<T>(): Promise<{
        results: T[];
        meta: { rows_read: number; rows_written: number; duration: number };
      }>;
    };
  };
}

/** Runs a statement on the D1 database of the service. @returns its rows and how many rows it read */
export async function measured<T>(service: Service, { sql, params }: Statement) {
  const DB = (await service.bindings()).DB as unknown as Database;
  const { results, meta } = await DB.prepare(sql)
    .bind(...params)
    .all<T>();
  return { rows: results, rowsRead: meta.rows_read, milliseconds: meta.duration };
}

/**
 * What a page asks of the database. The service runs `recording-worker.ts`, which notes the statements; each is run again to count the
 * rows that it reads.
 */
export async function pageCost(
  service: Service,
  browser: { open(path: string): Promise<{ status: number }> },
  path: string,
): Promise<{ status: number; statements: Statement[]; rowsRead: number }> {
  await service.request('/statements');
  const { status } = await browser.open(path);
  const statements = (await (await service.request('/statements')).json()) as Statement[];
  let rowsRead = 0;
  for (const statement of statements) rowsRead += (await measured(service, statement)).rowsRead;
  return { status, statements, rowsRead };
}

/** One task in 5,000 is a failed probe: rare by operation and status together. */
export const RARE = { every: 5000, operation: 'probe', status: 'failed' } as const;

/**
 * Writes `ended` tasks that ended one a second before `until` and `waiting` ones in line, half of them with a known duration.
 * Ids hold the time of creation, as the service makes them.
 */
export async function writeTasks(
  service: Service,
  { id: accountId }: TestAccount,
  { ended, waiting, until }: { ended: number; waiting: number; until: number },
): Promise<void> {
  const [probe, ...common] = operationNames.toSorted((name) => (name === RARE.operation ? -1 : 1));
  const batch = 10_000;
  for (let first = 0; first < ended; first += batch) {
    const rows = Array.from({ length: Math.min(batch, ended - first) }, (_, index) => {
      const seq = first + index + 1;
      const at = until - (ended - seq) * 1000;
      const rare = seq % RARE.every === 0;
      const operation = rare ? probe : common[seq % common.length];
      const status = rare || seq % 10 === 0 ? RARE.status : 'completed';
      return [idOf(accountId, seq, at), seq, operation, status, at];
    });
    await insert(service, accountId, rows);
  }
  const line = Array.from({ length: waiting }, (_, index) => {
    const [seq, at] = [ended + index + 1, until + index + 1];
    return [idOf(accountId, seq, at), seq, 'cut', 'queued', at];
  });
  await insert(service, accountId, line);
}

const { title, fault, retryable, hint } = errorEntry('render_failed');
const failure = { code: 'render_failed', title, detail: 'No.', fault, retryable, stage: 'rendering', hint };
const quotedError = `'${JSON.stringify(failure).replaceAll("'", "''")}'`;

/** The time of creation, then eight characters of the account and the number. */
const idOf = (accountId: string, seq: number, at: number) =>
  `${idHead('task', at)}${accountId.slice(5, 13)}${String(seq).padStart(8, '0')}`;

async function insert(service: Service, accountId: string, rows: readonly unknown[][]): Promise<void> {
  await measured(service, {
    sql: `insert into tasks (id, account_id, seq, request_id, operation, status, stage, progress_percent, attempt, input,
        metadata, created_at, completed_at, error, expected_seconds)
      select value ->> 0, ?1, value ->> 1, 'req_' || (value ->> 1), value ->> 2, value ->> 3,
        iif(value ->> 3 = 'queued', 'waiting', 'done'), iif(value ->> 3 = 'completed', 100, 0),
        iif(value ->> 3 = 'queued', 0, 1), '{"video_url":"https://media.example.com/talk.mp4","start":1,"duration":5}',
        '{"number":"' || (value ->> 1) || '"}', value ->> 4, iif(value ->> 3 = 'queued', null, (value ->> 4) + 500),
        iif(value ->> 3 = 'failed', ${quotedError}, null), iif(value ->> 1 & 1, 10, null)
      from json_each(?2)`,
    params: [accountId, JSON.stringify(rows)],
  });
}

/** Writes webhook deliveries, one a second before `until`, of which one in 5,000 failed. */
export async function writeDeliveries(
  service: Service,
  { id: accountId }: TestAccount,
  { count, until }: { count: number; until: number },
): Promise<void> {
  await measured(service, {
    sql: `with recursive number(n) as (select 1 union all select n + 1 from number where n < ?2)
      insert into webhook_deliveries (id, account_id, event_id, type, task_id, url, status, attempts, step, created_at)
      select format('whd_%010d', n), ?1, 'evt_' || n, 'task.completed', 'task_' || n, 'https://example.com/hook',
        iif(n % 5000 = 0, 'failed', 'delivered'), 1, 1, ?3 - (?2 - n) * 1000 from number`,
    params: [accountId, count, until],
  });
}
