import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestAccount } from '../../harness.ts';
import { resultOf } from '../stand-in.ts';
import { body, closeStand, read, service, startStandWith, transcoder, until } from './stand.ts';

beforeAll(() => startStandWith({ entry: 'test/worker/recording-worker.ts' }));
afterAll(closeStand);

const rendering = { type: 'progress', stage: 'rendering', progress_percent: 50, eta_seconds: 1 } as const;

async function sql(text: string): Promise<void> {
  const { DB } = await service.bindings();
  await DB.prepare(text).bind().run();
}

/** The database refuses to give a task of this account a status until the returned function is called. */
async function refusing({ id }: TestAccount, status: string): Promise<() => Promise<void>> {
  const name = `refuse_${id.replaceAll('-', '_')}`;
  await sql(`create trigger ${name} before update on tasks
    when new.account_id = '${id}' and new.status = '${status}' and old.status <> new.status
    begin select raise(abort, 'refused'); end`);
  return () => sql(`drop trigger ${name}`);
}

/** How many statements one wait for the end of a task costs. */
async function statementsOfWait(id: string, { key }: TestAccount, seconds: number): Promise<number> {
  const client = new Client({ name: 'spool-tests', version: '1.0.0' });
  const requestInit = { headers: { 'x-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
  await service.request('/statements');
  await client.callTool({ name: 'get_task', arguments: { task_id: id, wait_seconds: seconds } });
  const asked = (await (await service.request('/statements')).json()) as unknown[];
  await client.close();
  return asked.length;
}

const logged = (event: string) => service.worker.logs().filter((line) => line.includes(event)).length;

/** Waits until the database has refused one more write about a task. */
async function refused(work: () => Promise<unknown>): Promise<void> {
  const before = logged('task_write_failed');
  await work();
  await until(() => logged('task_write_failed') > before);
}

describe('a write about a task that the database loses', () => {
  it('is made up for by the next progress where it said that the task has begun', async () => {
    const account = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, account.key);
    const job = await transcoder.jobOf(id);
    const allow = await refusing(account, 'processing');
    await refused(() => transcoder.report(job, rendering));
    await allow();
    await transcoder.report(job, { ...rendering, progress_percent: 60 });
    await until(async () => (await read(id, account.key)).status === 'processing');
    const begun = await read(id, account.key);
    expect(begun).toMatchObject({ stage: 'rendering', progress_percent: 60, attempt: 1 });
    expect(begun.started_at).not.toBeNull();
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    expect(await read(id, account.key)).toMatchObject({ status: 'completed', started_at: begun.started_at });
  });

  it('is made up for by the sweeper where it said that the task waits again', async () => {
    const account = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, account.key);
    const job = await transcoder.jobOf(id);
    await transcoder.report(job, rendering);
    await until(async () => (await read(id, account.key)).status === 'processing');
    transcoder.answer.status = 503;
    const allow = await refusing(account, 'queued');
    await refused(() => transcoder.report(job, { type: 'released' }));
    await allow();
    expect(await read(id, account.key)).toMatchObject({ status: 'processing', progress_percent: 50 });

    // Its account says at once that the status is another one, which cannot be read yet.
    const waited = await statementsOfWait(id, account, 2);
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThan(30);

    await sql(`update tasks set lease_expires_at = 1 where account_id = '${account.id}'`);
    await service.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date() });
    expect(await read(id, account.key)).toMatchObject({ status: 'queued', progress_percent: 0 });
    transcoder.answer.status = 202;
    const next = await transcoder.jobOf(id, 2);
    expect((await transcoder.report(next, { type: 'completed', result: resultOf(next, 'x') })).status).toBe(
      200,
    );
  });
});
