import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, errorEntry } from '../../../schema/api/errors.ts';
import { type Task, task as taskSchema } from '../../../schema/task/task.ts';
import { resultOf } from '../stand-in.ts';
import {
  body,
  closeStand,
  codeOf,
  completedTask,
  read,
  service,
  startStand,
  transcoder,
  until,
} from './stand.ts';

beforeAll(startStand);
afterAll(closeStand);

describe('a request that is larger than others', () => {
  it('is kept as what is read of it, and as that it is rendered', async () => {
    const { key } = await service.createAccount('elite');
    const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: 25, value });
    const children = Array.from({ length: 800 }, (_, cut) => ({
      OTIO_SCHEMA: 'Clip.2',
      metadata: { editor: 'notes '.repeat(400) },
      source_range: { OTIO_SCHEMA: 'TimeRange.1', start_time: time(cut * 50), duration: time(25) },
      media_references: {
        DEFAULT_MEDIA: { OTIO_SCHEMA: 'ExternalReference.1', target_url: 'file:///Volumes/A/talk.mp4' },
      },
    }));
    const otio = {
      OTIO_SCHEMA: 'Timeline.1',
      tracks: { OTIO_SCHEMA: 'Stack.1', children: [{ OTIO_SCHEMA: 'Track.1', kind: 'Video', children }] },
    };
    const json = { otio, media: { 'talk.mp4': 'https://media.example.com/talk.mp4' } };
    expect(JSON.stringify(json).length).toBeGreaterThan(2_000_000);
    const created = await service.submit('/timeline', json, key);
    const { input } = await transcoder.jobOf(created.id);
    expect((await read(created.id, key)).input).toMatchObject(input);
    expect(JSON.stringify(input).length).toBeLessThan(256 * 1024);
    expect(JSON.stringify(input)).toContain('{"start_time":{"value":39950,"rate":25}');
    expect((await service.request('/cut', { json: { ...body, pad: otio }, key })).status).toBe(413);
  });
});

describe('the way of a task', () => {
  it('goes from the line over progress to its result', async () => {
    const { key } = await service.createAccount('elite');
    const created = await service.submit('/cut', body, key);
    expect(created).toMatchObject({
      status: 'queued',
      stage: 'waiting',
      attempt: 0,
      output: null,
      error: null,
    });
    expect(created.input).toMatchObject({
      video_url: 'https://media.example.com/talk.mp4?redacted',
      start: 1,
      duration: 5,
      mode: 'precise',
      quality: 'match_source',
    });

    const job = await transcoder.jobOf(created.id);
    expect(job).toMatchObject({
      attempt: 1,
      operation: 'cut',
      output_prefix: `t/${created.id}/1/`,
      output_name: 'my_clip',
      limits: { source_bytes: 5e9, task_seconds: 7200, output_side_px: 4096 },
    });
    expect(job.input.video_url).toBe(body.video_url);

    await transcoder.report(job, {
      type: 'progress',
      stage: 'rendering',
      progress_percent: 42.5,
      eta_seconds: 3,
    });
    await until(async () => (await read(created.id, key)).progress_percent === 42.5);
    expect(await read(created.id, key)).toMatchObject({
      status: 'processing',
      stage: 'rendering',
      eta_seconds: 3,
      attempt: 1,
      queue_position: null,
    });

    expect(created.input).not.toHaveProperty('bytes_read');
    const result = { ...resultOf(job, 'x'), bytes_read: 123_456 };
    expect((await transcoder.report(job, { type: 'completed', result })).status).toBe(200);
    const done = await read(created.id, key);
    expect(done).toMatchObject({ status: 'completed', stage: 'done', progress_percent: 100, error: null });
    expect(done.output).toMatchObject({
      file_name: 'my_clip.mp4',
      duration: 5,
      data: result.data,
      time_map: result.time_map,
    });
    expect(Date.parse(done.expires_at ?? '') - Date.parse(done.completed_at ?? '')).toBe(
      30 * 24 * 3600 * 1000,
    );
    expect(done.links.download).toBe(`${done.status_url}/download`);
    expect(done.input).toEqual({ ...created.input, bytes_read: 123_456 });
  });

  it('may begin with its last word: a completion that arrives before any progress counts', async () => {
    const { task } = await completedTask('abc');
    expect(task.status).toBe('completed');
    expect(task.started_at).not.toBeNull();
  });

  it('ends as failed with whose fault it was and what to do', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const job = await transcoder.jobOf(id);
    const begun = { type: 'progress', stage: 'waiting', progress_percent: 0, eta_seconds: null } as const;
    await transcoder.report(job, begun);
    await transcoder.report(job, {
      type: 'failed',
      failure: {
        code: 'source_http_error',
        detail: 'The source answered 404.',
        stage: 'fetching',
        source_index: 0,
        retryable: false,
      },
    });
    expect((await read(id, key)).stage).toBe('fetching');
    expect((await read(id, key)).error).toEqual({
      code: 'source_http_error',
      title: 'The source returned an HTTP error',
      detail: 'The source answered 404.',
      fault: 'source',
      retryable: false,
      stage: 'fetching',
      source_index: 0,
      pointer: '/video_url',
      hint: expect.any(String),
    });
    expect(await codeOf(await service.request(`/task/${id}/download`, { key }))).toBe('task_failed');
    expect((await transcoder.report(job, { type: 'completed', result: resultOf(job, 'late') })).status).toBe(
      409,
    );
    expect((await read(id, key)).status).toBe('failed');
  });

  it('takes reports only when they are signed for this very attempt', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const job = await transcoder.jobOf(id);
    const progress = {
      type: 'progress',
      stage: 'rendering',
      progress_percent: 50,
      eta_seconds: null,
    } as const;
    expect((await transcoder.report(job, progress, { secret: 'x'.repeat(64) })).status).toBe(404);
    expect((await fetch(job.callback_url, { method: 'POST', body: '{}' })).status).toBe(404);
    const second = { ...job, callback_url: job.callback_url.replace(/1$/, '2') };
    expect((await transcoder.report(second, progress)).status).toBe(404);
    const elsewhere = resultOf({ ...job, output_prefix: 't/other/1/' }, 'x');
    expect((await transcoder.report(job, { type: 'completed', result: elsewhere })).status).toBe(422);
    expect((await read(id, key)).status).toBe('queued');
  });

  it('starts over with a new number when an attempt is handed back', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const first = await transcoder.jobOf(id);
    await transcoder.report(first, {
      type: 'progress',
      stage: 'fetching',
      progress_percent: 5,
      eta_seconds: null,
    });
    expect((await transcoder.report(first, { type: 'released' })).status).toBe(200);
    const second = await transcoder.jobOf(id, 2);
    expect(second.output_prefix).toBe(`t/${id}/2/`);
    expect(
      (await transcoder.report(first, { type: 'completed', result: resultOf(first, 'old') })).status,
    ).toBe(409);
    expect(
      (await transcoder.report(second, { type: 'completed', result: resultOf(second, 'new') })).status,
    ).toBe(200);
    expect(
      (await transcoder.report(second, { type: 'completed', result: resultOf(second, 'new') })).status,
      'an answer that was lost is given again: a refusal would make the transcoder delete the result',
    ).toBe(200);
    expect(await read(id, key)).toMatchObject({ status: 'completed', attempt: 2 });
  });

  it('survives the eviction of its account between any two steps', async () => {
    const { id: accountId, key } = await service.createAccount('basic');
    const evict = () => service.worker.evictDurableObject('Account', { name: accountId });
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.push((await service.submit('/cut', body, key)).id);
    await evict();
    for (const id of ids) {
      const job = await transcoder.jobOf(id);
      await transcoder.report(job, {
        type: 'progress',
        stage: 'rendering',
        progress_percent: 50,
        eta_seconds: null,
      });
      await evict();
      expect((await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') })).status).toBe(
        200,
      );
      await evict();
    }
    for (const id of ids) expect((await read(id, key)).status).toBe('completed');
    expect(await (await service.request('/account', { key })).json()).toMatchObject({
      used: { running: 0, waiting: 0 },
    });
  });

  it('waits as long as the transcoder has no room, and is dispatched when it has', async () => {
    transcoder.answer.status = 503;
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const refused = transcoder.refused;
    await until(() => transcoder.refused >= refused + 3);
    expect((await read(id, key)).status).toBe('queued');
    transcoder.answer.status = 202;
    expect((await transcoder.jobOf(id)).attempt).toBe(1);
  });
});

describe('a task that machines of the previous release do not know', { timeout: 60_000 }, () => {
  async function refusedOnce(code: ErrorCode, createdAgoMs: number) {
    Object.assign(transcoder.answer, { status: errorEntry(code).status, code });
    const { refused } = transcoder;
    const { key } = await service.createAccount('elite');
    const { DB } = await service.bindings();
    await DB.prepare(`create trigger aged after insert on tasks begin
      update tasks set created_at = created_at - ${createdAgoMs} where id = new.id; end`).run();
    const { id } = await service.submit('/cut', body, key);
    await DB.prepare('drop trigger aged').run();
    await until(() => transcoder.refused > refused);
    transcoder.answer.status = 202;
    delete transcoder.answer.code;
    return { id, key };
  }
  const jobsOf = (id: string) => transcoder.jobs.filter((job) => job.task_id === id);

  it.each(['invalid_json', 'request_too_large'] as const)(
    'waits for one that does, without using up its attempts: %s',
    async (code) => {
      const { id, key } = await refusedOnce(code, 0);
      expect((await read(id, key)).status).toBe('queued');
      await expect.poll(() => jobsOf(id), { timeout: 30_000 }).toMatchObject([{ attempt: 1 }]);
    },
  );

  it('uses up its attempts once it is an hour old', async () => {
    const { id } = await refusedOnce('invalid_json', 3601_000);
    await expect.poll(() => jobsOf(id), { timeout: 30_000 }).toMatchObject([{ attempt: 2 }]);
  });
});

describe('a plan with two slots', () => {
  it('runs two, keeps twenty in line in order, and refuses the rest', async () => {
    const account = await service.createAccount('basic');
    const { key } = account;
    const responses = await Promise.all(
      Array.from({ length: 25 }, () => service.request('/cut', { json: body, key })),
    );
    const statuses = responses.map((response) => response.status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(22);
    const refused = responses.filter((response) => response.status === 429);
    expect(await Promise.all(refused.map(codeOf))).toEqual(['queue_full', 'queue_full', 'queue_full']);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const tasks = await Promise.all(
      responses
        .filter((response) => response.status === 202)
        .map(async (one) => taskSchema.parse(await one.json())),
    );
    const { DB } = await service.bindings();
    const { results } = await DB.prepare('select id from tasks where account_id = ? order by seq')
      .bind(account.id)
      .all<{ id: string }>();
    const order = results.map(({ id }) => id);
    expect([...order].sort()).toEqual(tasks.map(({ id }) => id).sort());

    const mine = () => transcoder.jobs.filter((job) => order.includes(job.task_id));
    await until(() => mine().length === 2);
    for (let done = 0; done < 22; done++) {
      const job = mine()[done];
      if (!job) throw new Error(`task ${done} was not dispatched`);
      await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
      await until(() => mine().length === Math.min(22, done + 3));
    }
    expect(
      mine()
        .slice(2)
        .map((job) => job.task_id),
    ).toEqual(order.slice(2));
    const usage = await (await service.request('/account', { key })).json();
    expect(usage).toMatchObject({ plan: 'basic', used: { running: 0, waiting: 0, creations_left: 5 } });
    for (let more = 26; more <= 30; more++)
      expect((await service.request('/cut', { json: body, key })).status).toBe(202);
    const thirtyFirst = await service.request('/cut', { json: body, key });
    expect(thirtyFirst.status).toBe(429);
    expect(thirtyFirst.headers.get('ratelimit-policy')).toBe('"basic";q=30;w=60');
    expect(thirtyFirst.headers.get('ratelimit')).toMatch(/^"basic";r=0;t=\d+$/);
    expect(await codeOf(thirtyFirst)).toBe('rate_limited');
  });

  it('tells each waiting task its place in the line', async () => {
    const { key } = await service.createAccount('basic');
    const tasks: Task[] = [];
    for (let index = 0; index < 5; index++) tasks.push(await service.submit('/cut', body, key));
    for (const [index, task] of tasks.entries()) {
      if (index >= 2) continue;
      const job = await transcoder.jobOf(task.id);
      await transcoder.report(job, {
        type: 'progress',
        stage: 'fetching',
        progress_percent: 1,
        eta_seconds: null,
      });
    }
    await until(async () => (await read(tasks[4]?.id ?? '', key)).queue_position === 3);
    expect((await read(tasks[2]?.id ?? '', key)).queue_position).toBe(1);
    expect((await read(tasks[0]?.id ?? '', key)).queue_position).toBeNull();
  });
});
