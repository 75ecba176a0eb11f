import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import type { Job } from '../../../schema/task/wire.ts';
import { type Service, startService, type TestAccount } from '../../harness.ts';
import { withUrl } from '../../with-url.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';

let service: Service;
let transcoder: StandIn;
let account: TestAccount;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
  account = await service.createAccount('elite');
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const body = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };

async function start(input: Record<string, unknown> = body, by = account): Promise<Job> {
  const { id } = await service.submit('/cut', input, by.key);
  return transcoder.jobOf(id);
}

/** A completed task, whose file is in storage. */
async function completed(by = account): Promise<Job> {
  const job = await start(body, by);
  const result = resultOf(job, 'content');
  const { FILES } = await service.bindings();
  await FILES.put(result.files[0]?.key ?? '', 'content');
  expect((await transcoder.report(job, { type: 'completed', result })).status).toBe(200);
  return job;
}

const sourceOf = (job: Job) => `task:${job.task_id}`;
const keyOf = (job: Job) => `${job.output_prefix}${job.output_name}.mp4`;

async function isStored(job: Job): Promise<boolean> {
  const { FILES } = await service.bindings();
  return (await FILES.list({ prefix: job.output_prefix })).objects.length > 0;
}

async function expire(job: Job): Promise<void> {
  const { DB } = await service.bindings();
  await DB.prepare('update tasks set expires_at = ? where id = ?')
    .bind(Date.now() - 1, job.task_id)
    .run();
}

const sweep = () => service.worker.scheduled({ scheduledTime: new Date(), cron: '*/5 * * * *' });

describe('task:<id> as a source', () => {
  it.each(operationNames)(
    'is taken in every URL field of %s and sent as an object of storage',
    async (name) => {
      const operation = operations[name];
      const source = await completed();
      for (const { input } of operation.examples) {
        for (const { pointer } of operation.sources(operation.input.parse(input) as never)) {
          const asked = withUrl(input as Record<string, unknown>, pointer, sourceOf(source));
          const task = await service.submit(operation.path, asked, account.key);
          const job = await transcoder.jobOf(task.id);
          expect(job.stored_sources).toEqual({ [sourceOf(source)]: keyOf(source) });
          expect(JSON.stringify(task.input)).toContain(sourceOf(source));
          await transcoder.report(job, {
            type: 'failed',
            failure: { code: 'render_failed', detail: 'Enough seen', stage: 'rendering' },
          });
        }
      }
    },
  );

  it('is refused with the field and the reason where it cannot be read', async () => {
    const stranger = await service.createAccount('elite');
    const foreign = await completed(stranger);
    const failed = await start();
    await transcoder.report(failed, {
      type: 'failed',
      failure: { code: 'render_failed', detail: 'No', stage: 'rendering' },
    });
    const expired = await completed();
    await expire(expired);
    const good = await completed();
    const cases = [
      [`task:task_${'0'.repeat(26)}`, 'task_not_found'],
      [sourceOf(foreign), 'task_not_found'],
      [sourceOf(failed), 'task_failed'],
      [sourceOf(expired), 'output_expired'],
    ] as const;
    for (const [url, code] of cases) {
      const json = { urls: [sourceOf(good), { url }] };
      const response = await service.request('/merge_urls', { json, key: account.key });
      const problem = problemSchema.parse(await response.json());
      expect([response.status, problem.code]).toEqual([422, 'validation_failed']);
      expect(problem.errors?.map(({ pointer, code: why }) => [pointer, why])).toEqual([
        ['/urls/1/url', code],
      ]);
      expect(problem.detail).toContain('/urls/1/url: ');
    }
    const malformed = await service.request('/cut', {
      json: { ...body, video_url: 'task:mine' },
      key: account.key,
    });
    expect(problemSchema.parse(await malformed.json()).errors?.[0]?.pointer).toBe('/video_url');
  });

  it('gives the first answer to a request sent again, though the source has gone since', async () => {
    const source = await completed();
    const post = () =>
      service.request('/cut', {
        json: { ...body, video_url: sourceOf(source) },
        key: account.key,
        headers: { 'idempotency-key': 'from a task' },
      });
    const first = await post();
    expect(first.status).toBe(202);
    await expire(source);
    const again = await post();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(await again.json()).toEqual(await first.json());
  });

  it('gives its time map after its files have expired, as only its record is read', async () => {
    const source = await completed();
    await expire(source);
    const task = await service.submit(
      '/captions/auto',
      { video_url: body.video_url, captions: 'Hello there.', time_map_task: source.task_id },
      account.key,
    );
    const job = await transcoder.jobOf(task.id);
    expect(Object.keys(job.time_maps ?? {})).toEqual([sourceOf(source)]);
  });

  it('stays stored past its time for as long as a live task reads it, and no longer', async () => {
    const source = await completed();
    const reader = await start({ ...body, video_url: sourceOf(source) });
    await expire(source);
    await sweep();
    expect(await isStored(source)).toBe(true);
    const download = await service.request(`/task/${source.task_id}/download`, { key: account.key });
    expect(download.status).toBe(410);
    await transcoder.report(reader, { type: 'completed', result: resultOf(reader, 'next') });
    await sweep();
    expect(await isStored(source)).toBe(false);
  });

  it('goes with DELETE at once: a task that waits to read it fails and says so', async () => {
    const owner = await service.createAccount('basic');
    const source = await completed(owner);
    const [first] = [await start(body, owner), await start(body, owner)];
    const waiting = await service.submit('/cut', { ...body, video_url: sourceOf(source) }, owner.key);
    const deletion = await service.request(`/task/${source.task_id}`, { method: 'DELETE', key: owner.key });
    expect(deletion.status).toBe(200);
    expect(await isStored(source)).toBe(false);
    await transcoder.report(first, { type: 'completed', result: resultOf(first, 'first') });
    const ended = await service.finished(waiting.id, owner.key, 20);
    expect(ended).toMatchObject({
      status: 'failed',
      error: { code: 'source_gone', fault: 'source', source_index: 0, retryable: false },
    });
  });
});
