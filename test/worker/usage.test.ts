import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { usage as usageSchema } from '../../schema/api/usage.ts';
import { type Service, sleep, startService, type TestAccount } from '../harness.ts';
import { resultOf, type StandIn, startStandIn } from './stand-in.ts';

let service: Service;
let transcoder: StandIn;

const MIDNIGHT_MARGIN_MS = 60_000;

beforeAll(async () => {
  // All of it is one day's usage.
  const untilMidnight = 24 * 3600_000 - (Date.now() % (24 * 3600_000));
  if (untilMidnight < MIDNIGHT_MARGIN_MS) await sleep(untilMidnight);
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
}, 2 * MIDNIGHT_MARGIN_MS);
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const body = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };
const metering = { source_seconds: 60, processing_seconds: 2.5, bytes_read: 1000 };
const none = {
  completed: 0,
  failed: 0,
  source_seconds: 0,
  output_seconds: 0,
  processing_seconds: 0,
  bytes_read: 0,
  bytes_stored: 0,
};
const today = () => new Date().toISOString().slice(0, 10);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function usageOf(account: TestAccount, query = '') {
  const response = await service.request(`/usage${query}`, { key: account.key });
  expect(response.status).toBe(200);
  return usageSchema.parse(await response.json());
}

async function start(account: TestAccount) {
  const { id } = await service.submit('/cut', body, account.key);
  return transcoder.jobOf(id);
}

describe('usage', () => {
  it('adds up what completed and failed tasks have cost, by operation', async () => {
    const account = await service.createAccount('elite');
    for (const content of ['abc', 'defgh']) {
      const job = await start(account);
      await transcoder.report(job, { type: 'completed', result: resultOf(job, content), metering });
    }
    const failing = await start(account);
    await transcoder.report(failing, {
      type: 'failed',
      failure: { code: 'source_too_long', detail: 'Too long.', stage: 'analyzing' },
      metering: { source_seconds: 9000, processing_seconds: 0.25, bytes_read: 50 },
    });
    const { id } = await service.submit('/probe', { url: body.video_url }, account.key);
    const probing = await transcoder.jobOf(id);
    await transcoder.report(probing, { type: 'completed', result: resultOf(probing, 'p'), metering });
    const cut = {
      completed: 2,
      failed: 1,
      source_seconds: 9120,
      output_seconds: 10,
      processing_seconds: 5.25,
      bytes_read: 2050,
      bytes_stored: 8,
    };
    const probe = {
      completed: 1,
      failed: 0,
      source_seconds: 60,
      output_seconds: 5,
      processing_seconds: 2.5,
      bytes_read: 1000,
      bytes_stored: 1,
    };
    expect(await usageOf(account)).toEqual({
      object: 'usage',
      from: daysAgo(29),
      to: today(),
      totals: {
        completed: 3,
        failed: 1,
        source_seconds: 9180,
        output_seconds: 15,
        processing_seconds: 7.75,
        bytes_read: 3050,
        bytes_stored: 9,
      },
      days: [
        {
          date: today(),
          operations: [
            { operation: 'cut', ...cut },
            { operation: 'probe', ...probe },
          ],
        },
      ],
    });
  });

  it('counts neither a repeated nor a stale report, nor a task that was deleted before its end', async () => {
    const account = await service.createAccount('elite');
    const first = await start(account);
    await transcoder.report(first, { type: 'released' });
    const second = await transcoder.jobOf(first.task_id, 2);
    const completed = { type: 'completed', result: resultOf(second, 'abc'), metering } as const;
    const statuses = await Promise.all([
      transcoder.report(first, { ...completed, result: resultOf(first, 'abc') }),
      transcoder.report(second, completed),
      transcoder.report(second, completed),
    ]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
    const deleted = await start(account);
    await service.request(`/task/${deleted.task_id}`, { method: 'DELETE', key: account.key });
    await transcoder.report(deleted, { type: 'completed', result: resultOf(deleted, 'abc'), metering });
    expect((await usageOf(account)).totals).toMatchObject({ completed: 1, failed: 0, bytes_read: 1000 });
  });

  it('stays when the task is deleted afterwards', async () => {
    const account = await service.createAccount('elite');
    const job = await start(account);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'abc'), metering });
    const before = await usageOf(account);
    expect(
      (await service.request(`/task/${job.task_id}`, { method: 'DELETE', key: account.key })).status,
    ).toBe(200);
    expect(await usageOf(account)).toEqual(before);
    expect(before.totals.completed).toBe(1);
  });

  it('takes what the result says from a transcoder that does not meter', async () => {
    const account = await service.createAccount('elite');
    const job = await start(account);
    const result = { ...resultOf(job, 'abc'), bytes_read: 77 };
    await transcoder.report(job, { type: 'completed', result });
    expect((await usageOf(account)).totals).toEqual({
      ...none,
      completed: 1,
      output_seconds: 5,
      bytes_read: 77,
      bytes_stored: 3,
    });
  });

  it('is shown for the days asked for, both included, and to its account only', async () => {
    const account = await service.createAccount('elite');
    const { DB } = await service.bindings();
    for (const [day, completed] of [
      ['2026-01-31', 1],
      ['2026-02-01', 2],
      ['2026-02-28', 4],
      ['2026-03-01', 8],
    ])
      await DB.prepare('insert into usage_days values (?, ?, ?, ?, 0, 0, 0, 0, 0, 0)')
        .bind(account.id, day, 'cut', completed)
        .run();
    const february = await usageOf(account, '?from=2026-02-01&to=2026-02-28');
    expect(february.days.map(({ date }) => date)).toEqual(['2026-02-01', '2026-02-28']);
    expect(february.totals.completed).toBe(6);
    expect((await usageOf(account, '?to=2026-03-01')).from).toBe('2026-01-31');
    expect((await usageOf(account, '?to=0000-01-01')).from).toBe('0000-01-01');
    const other = await service.createAccount('basic');
    expect(await usageOf(other, '?from=2026-02-01&to=2026-02-28')).toMatchObject({ totals: none, days: [] });
  });

  it.each([
    ['?from=yesterday', '/from'],
    ['?from=2026-02-30', '/from'],
    ['?from=2026-03-02&to=2026-03-01', '/from'],
    ['?from=2024-01-01&to=2026-01-01', '/from'],
    ['?since=2026-01-01', '/since'],
  ])('refuses %s and points at the field', async (query, pointer) => {
    const response = await service.request(`/usage${query}`, { key: service.accounts.basic.key });
    expect(response.status).toBe(422);
    expect(problemSchema.parse(await response.json())).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer }],
    });
  });

  it('needs a key', async () => {
    expect((await service.request('/usage')).status).toBe(401);
  });
});
