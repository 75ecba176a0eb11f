import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StatusReport, statusReport } from '../../schema/api/status.ts';
import { fixtures } from '../fixtures/make.ts';
import { measured } from '../worker/records-at-scale.ts';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack(fixtures, { vars: { STATUS_TASK_MINUTES: '5' } });
});
afterAll(() => stack.close());

const rowsOf = <T>(sql: string, ...params: unknown[]) =>
  measured<T>(stack.service, { sql, params }).then(({ rows }) => rows);

async function probe(at: number): Promise<void> {
  const { outcome } = await stack.service.worker.scheduled({
    scheduledTime: new Date(at),
    cron: '*/5 * * * *',
  });
  expect(outcome).toBe('ok');
}

const task = async (): Promise<StatusReport> =>
  statusReport.parse(await (await stack.service.request('/status.json')).json());

it('runs an ordinary task and keeps nothing but its overhead', async () => {
  const at = Date.now();
  await probe(at);
  const [found] = await rowsOf<{ ok: number; overhead_ms: number }>(
    "select ok, overhead_ms from status_probes where at = ? and part = 'task'",
    at,
  );
  expect(found?.ok).toBe(1);
  console.log(`overhead of the probe task: ${found?.overhead_ms} ms`);
  expect(found?.overhead_ms).toBeGreaterThan(0);
  expect(found?.overhead_ms).toBeLessThan(20_000);
  const accounts = await rowsOf<{ id: string; name: string }>(
    "select id, name from accounts where name <> 'Test'",
  );
  expect(accounts).toEqual([{ id: `acct_${'0'.repeat(26)}`, name: 'Probe tasks of /status' }]);
  expect(await rowsOf('select account_id from usage_days')).toEqual([]);
  expect(await rowsOf('select id from tasks')).toEqual([{ id: `task_${'0'.repeat(26)}` }]);
  const { FILES } = await stack.service.bindings();
  const keys = (await FILES.list({ prefix: 't/' })).objects.map(({ key }) => key);
  expect(keys).toEqual([`t/task_${'0'.repeat(26)}/1/second.wav`]);
  const [today] = (await task()).overhead ?? [];
  expect(today).toMatchObject({ p50_ms: found?.overhead_ms, p95_ms: found?.overhead_ms });
});

it('fails within a minute while no machine answers, and says so', { timeout: 150_000 }, async () => {
  await stack.transcoder.close();
  const at = Date.now();
  await probe(at);
  expect(
    await rowsOf("select ok, overhead_ms from status_probes where at = ? and part = 'task'", at),
  ).toEqual([{ ok: 0, overhead_ms: null }]);
  expect(Date.now() - at).toBeLessThan(100_000);
  await expect
    .poll(async () => (await task()).parts.find(({ name }) => name === 'task')?.state, { timeout: 30_000 })
    .toBe('down');
});
