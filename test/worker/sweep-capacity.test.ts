import { afterAll, beforeAll, expect, it } from 'vitest';
import { plans } from '../../schema/api/plans.ts';
import { type Service, startService, type TestAccount } from '../harness.ts';
import { measured, writeTasks } from './records-at-scale.ts';

const TASKS = 100_000;
const FILES_PER_TASK = 3;
const TASKS_A_DAY = 1_000_000;
const SWEEPS_A_DAY = 24 * 12;
const DAY_MS = 24 * 3600_000;

let service: Service;
let account: TestAccount;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
  account = await service.createAccount('boost');
  await writeTasks(service, account, { ended: TASKS, waiting: 0, until: Date.now() });
  const files = Array.from({ length: FILES_PER_TASK }, (_, index) => `{"key":"t/'||id||'/1/${index}.jpg"}`);
  await measured(service, {
    sql: `update tasks set status = 'completed', error = null, result = '{"files":[${files.join()}]}',
      expires_at = completed_at + ? where account_id = ?`,
    params: [plans.boost.retention_seconds * 1000, account.id],
  });
}, 300_000);
afterAll(() => service.close());

const count = async (condition: string) => {
  const sql = `select count(*) as n from tasks where account_id = ? and ${condition}`;
  const { rows } = await measured<{ n: number }>(service, { sql, params: [account.id] });
  return rows[0]?.n ?? 0;
};

it('a sweep deletes the files and archives the records of far more tasks than come between two sweeps', async () => {
  const scheduledTime = new Date(Date.now() + plans.boost.retention_seconds * 1000 + 2 * DAY_MS);
  await service.worker.scheduled({ scheduledTime, cron: '*/5 * * * *' });
  const withFiles = await count('files_removed_at is null');
  const left = await count('true');
  const expired = (TASKS - withFiles) * SWEEPS_A_DAY;
  const archived = (TASKS - left) * SWEEPS_A_DAY;
  console.info(
    `a day: files of ${expired} tasks, ${expired * FILES_PER_TASK} objects; records of ${archived}`,
  );
  expect(expired).toBeGreaterThan(2 * TASKS_A_DAY);
  expect(archived).toBeGreaterThan(2 * TASKS_A_DAY);
  const chunks = await measured<{ tasks: number; chunks: number }>(service, {
    sql: `select sum(task_count) as tasks, count(*) as chunks from archive_chunks where state = 'kept'`,
    params: [],
  });
  expect(chunks.rows[0]?.tasks).toBe(TASKS - left);
  expect(chunks.rows[0]?.chunks).toBeLessThanOrEqual((TASKS - left) / 500);
}, 600_000);
