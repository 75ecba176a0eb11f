import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../../schema/task/task.ts';
import { resultOf } from '../stand-in.ts';
import { body, closeStand, codeOf, completedTask, service, startStand, transcoder, until } from './stand.ts';

beforeAll(startStand);
afterAll(closeStand);

describe('DELETE', () => {
  it('stops a running task, refuses its late success and leaves neither files nor record', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const job = await transcoder.jobOf(id);
    await transcoder.report(job, {
      type: 'progress',
      stage: 'rendering',
      progress_percent: 50,
      eta_seconds: 1,
    });
    const { FILES } = await service.bindings();
    await FILES.put(`${job.output_prefix}half.mp4`, 'half');
    const response = await service.request(`/task/${id}`, { method: 'DELETE', key });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ object: 'task', id, deleted: true });
    await until(() => transcoder.stops.some((stop) => stop.taskId === id && stop.attempt === 1));
    expect((await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') })).status).toBe(
      409,
    );
    expect((await service.request(`/task/${id}`, { key })).status).toBe(404);
    expect((await FILES.list({ prefix: `t/${id}/` })).objects).toEqual([]);
    expect((await service.request(`/task/${id}`, { method: 'DELETE', key })).status).toBe(404);
  });

  it('takes a waiting task out of the line', async () => {
    const { key } = await service.createAccount('basic');
    const tasks: Task[] = [];
    for (let index = 0; index < 3; index++) tasks.push(await service.submit('/cut', body, key));
    const [, , third] = tasks;
    expect((await service.request(`/task/${third?.id}`, { method: 'DELETE', key })).status).toBe(200);
    expect(await (await service.request('/account', { key })).json()).toMatchObject({
      used: { running: 2, waiting: 0 },
    });
  });
});

describe('a download', () => {
  const content = '0123456789';

  it('serves the whole file, a range, and nothing that the client has already', async () => {
    const { task, key } = await completedTask(content);
    const path = `/task/${task.id}/download`;
    const whole = await service.request(path, { key });
    expect(whole.status).toBe(200);
    expect(await whole.text()).toBe(content);
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toBe(`"${task.output?.sha256}"`);
    expect(whole.headers.get('content-length')).toBe('10');
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(whole.headers.get('content-disposition')).toContain('filename="my_clip.mp4"');
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');

    const part = await service.request(path, { key, headers: { range: 'bytes=2-4' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ]);
    const tail = await service.request(path, { key, headers: { range: 'bytes=-3', 'if-range': etag } });
    expect([tail.status, await tail.text()]).toEqual([206, '789']);
    const changed = await service.request(path, {
      key,
      headers: { range: 'bytes=-3', 'if-range': '"other"' },
    });
    expect([changed.status, await changed.text()]).toEqual([200, content]);
    const beyond = await service.request(path, { key, headers: { range: 'bytes=10-' } });
    expect([beyond.status, beyond.headers.get('content-range'), await codeOf(beyond)]).toEqual([
      416,
      'bytes */10',
      'range_not_satisfiable',
    ]);
    expect((await service.request(path, { key, headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await service.request(path, { key, method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
  });

  it('works by its signed link without a key, for this task, file and time only', async () => {
    const { task } = await completedTask(content);
    const link = new URL(task.output?.file_url ?? '');
    expect(await (await fetch(link)).text()).toBe(content);
    const other = await completedTask('other');
    const moved = new URL(link);
    moved.pathname = `/task/${other.task.id}/download`;
    expect(await codeOf(await fetch(moved))).toBe('signature_invalid');
    const longer = new URL(link);
    longer.searchParams.set('expires', '9999999999');
    expect(await codeOf(await fetch(longer))).toBe('signature_invalid');
    const renamed = new URL(link);
    renamed.searchParams.set('file', 'sheet');
    expect(await codeOf(await fetch(renamed))).toBe('signature_invalid');
  });

  it('says what is the matter when there is no file', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const early = await service.request(`/task/${id}/download`, { key });
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await codeOf(early)).toBe('task_not_completed');
    const done = await completedTask(content);
    const role = await service.request(`/task/${done.task.id}/download?file=sheet`, { key: done.key });
    expect(await codeOf(role)).toBe('file_not_found');
    const { DB } = await service.bindings();
    await DB.prepare('update tasks set expires_at = ? where id = ?')
      .bind(Date.now() - 1, done.task.id)
      .run();
    expect(await codeOf(await service.request(`/task/${done.task.id}/download`, { key: done.key }))).toBe(
      'output_expired',
    );
  });
});

describe('polls', () => {
  it('are limited by the plan, apart from creations', async () => {
    const { key } = await service.createAccount('basic');
    const { id } = await service.submit('/cut', body, key);
    // They are counted in windows of the clock: of two windows, one has more than the limit.
    const responses = await Promise.all(
      Array.from({ length: 101 }, () => service.request(`/task/${id}`, { key })),
    );
    const limited = responses.filter((response) => response.status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(await codeOf(limited[0] as Response)).toBe('rate_limited');
    expect(limited[0]?.headers.get('retry-after')).toBeTruthy();
    expect((await service.request('/cut', { json: body, key })).status).toBe(202);
  });
});
