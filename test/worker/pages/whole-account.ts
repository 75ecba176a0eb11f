import type { Service } from '../../harness.ts';
import { rows } from './rows.ts';

interface Bucket {
  put(key: string, value: string): Promise<unknown>;
  list(options: { prefix: string }): Promise<{ objects: { key: string }[] }>;
}

const bucketOf = async (service: Service) => (await service.bindings()).FILES as unknown as Bucket;

/** Every table with a column `account_id`, as the database has it. */
export async function tablesOfAccounts(service: Service): Promise<string[]> {
  const found = await rows<{ name: string }>(
    service,
    `select tables.name from sqlite_master as tables, pragma_table_info(tables.name) as columns
      where tables.type = 'table' and columns.name = 'account_id' order by tables.name`,
  );
  return found.map(({ name }) => name);
}

/** How many rows each table has of an account; the account itself is one of `accounts`. */
export async function rowsOf(service: Service, accountId: string): Promise<Record<string, number>> {
  const names = await tablesOfAccounts(service);
  const counts = names.map((name) => `(select count(*) from ${name} where account_id = ?1) as ${name}`);
  // One statement: each is several messages to the Worker.
  const [found] = await rows<Record<string, number>>(
    service,
    `select ${counts.join()}, (select count(*) from accounts where id = ?1) as accounts`,
    accountId,
  );
  return found ?? {};
}

const insertTask = `insert into tasks
  (id, account_id, seq, request_id, operation, status, stage, progress_percent, attempt, input, metadata, result, created_at, completed_at, expires_at)
  values (?, ?, ?, 'req', 'cut', ?, 'done', 100, 1, '{}', '{}', ?, ?, ?, ?)`;

let count = 0;

/** Gives an account a row in every table and an object in each of its places. @returns the prefixes of its objects */
export async function fill(service: Service, accountId: string): Promise<string[]> {
  const files = await bucketOf(service);
  const now = Date.now();
  const name = `${++count}`.padStart(26, '0');
  const [done, failed] = [`task_${name}`, `task_f${name.slice(1)}`];
  const key = `t/${done}/1/cut.mp4`;
  await files.put(key, 'content');
  await files.put(`t/${done}/1/extra.jpg`, 'in no result');
  await files.put(`archive/${accountId}/chunk`, 'archived');
  const result = JSON.stringify({ files: [{ key }] });
  await rows(service, insertTask, done, accountId, 900_001, 'completed', result, now, now, now + 3600_000);
  await rows(service, insertTask, failed, accountId, 900_002, 'failed', null, now, now, null);
  await rows(service, 'insert into task_sources (source_id, task_id) values (?, ?)', done, failed);
  const one = (sql: string, ...more: unknown[]) => rows(service, sql, accountId, ...more);
  await one(
    `insert into archive_chunks (account_id, key, state, first_id, last_id, oldest_at, newest_at, ended_at, remove_at,
      task_count, contents, begun_at) values (?, ?, 'kept', 'task_1', 'task_2', 1, 2, 2, ?, 1, '[]', 1)`,
    ...[`archive/${accountId}/chunk`, now + 1e10],
  );
  await one(
    "insert into keys (account_id, id, label, hash, created_at) values (?, ?, 'x', ?, 1)",
    `key_${name}`,
    name,
  );
  await one(`insert into usage_days values (?, '2026-11-01', 'cut', 1, 0, 1, 1, 1, 1, 1)`);
  await one(
    "insert into webhook_endpoints (account_id, id, url, created_at) values (?, ?, 'https://hooks.example.com/', 1)",
    `whe_${name}`,
  );
  await one("insert into webhook_secrets (account_id, sealed, created_at) values (?, 'sealed', 1)");
  await one(
    `insert into webhook_deliveries (account_id, id, event_id, type, url, status, attempts, step, created_at)
      values (?, ?, 'evt_1', 'webhook.test', 'https://hooks.example.com/', 'failed', 8, 8, ?)`,
    ...[`whd_${name}`, now],
  );
  await one(
    'insert into billing (account_id, customer_id, asked, asked_at, seen, seen_at) values (?, ?, 0, 0, 0, 0)',
    `cus_${name}`,
  );
  await one("insert into limit_notices values (?, 'waiting', '2026-11', 80, ?, ?)", now, now);
  await one(
    `insert into invitations (account_id, id, email, role, invited_by, created_at, expires_at)
      values (?, ?, 'guest@example.com', 'member', 'x', 1, ?)`,
    ...[`inv_${name}`, now + 1e9],
  );
  const upload = `upl_${name}`;
  await files.put(`u/${upload}/file`, 'uploaded');
  await one(
    `insert into uploads (account_id, id, status, file_name, size_bytes, created_at, expires_at)
      values (?, ?, 'ready', 'talk.mp4', 8, ?, ?)`,
    ...[upload, now, now + 3600_000],
  );
  await rows(service, 'insert into upload_sources (upload_id, task_id) values (?, ?)', upload, failed);
  return [`t/${done}/`, `t/${failed}/`, `archive/${accountId}/`, `u/${upload}/`];
}

/** The objects that are left under these prefixes. */
export async function objectsUnder(service: Service, prefixes: readonly string[]): Promise<string[]> {
  const files = await bucketOf(service);
  const found = await Promise.all(prefixes.map(async (prefix) => (await files.list({ prefix })).objects));
  return found.flat().map(({ key }) => key);
}
