import { drizzle } from 'drizzle-orm/d1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  SINGLE_PUT_BYTES,
  UPLOAD_RECORD_SECONDS,
  type Upload,
  uploadList,
  upload as uploadSchema,
} from '../../../schema/api/upload.ts';
import { uploadsRepo } from '../../../worker/repos/uploads.ts';
import { resultOf } from '../stand-in.ts';
import {
  account,
  bucket,
  closeStand,
  create,
  mp4,
  objectsOf,
  problemOf,
  put,
  ready,
  run,
  send,
  service,
  startStand,
  sweep,
  transcoder,
} from './stand.ts';

beforeAll(() => startStand());
afterAll(closeStand);

const expire = (id: string) => run('update uploads set expires_at = ? where id = ?', Date.now() - 1, id);
const show = (id: string, by = account) => service.request(`/uploads/${id}`, { key: by.key });
const statusOf = async (id: string) => uploadSchema.parse(await (await show(id)).json()).status;
const cut = (id: string, by = account) =>
  service.submit('/cut', { video_url: `upload:${id}`, duration: 1 }, by.key);

describe('the file of an upload', () => {
  it('is deleted once it has expired, and its record a week later', async () => {
    const [kept, gone] = [await ready(), await ready()];
    await expire(gone.id);
    expect(await statusOf(gone.id)).toBe('expired');
    await sweep();
    expect([await objectsOf(kept.id), await objectsOf(gone.id)]).toEqual([[1000], []]);
    expect(await statusOf(gone.id)).toBe('expired');
    const refused = await problemOf(
      await service.request('/cut', {
        json: { video_url: `upload:${gone.id}`, duration: 1 },
        key: account.key,
      }),
    );
    expect(refused).toMatchObject({
      pointers: ['/video_url'],
      detail: expect.stringContaining('has expired'),
    });
    await sweep((UPLOAD_RECORD_SECONDS + 60) * 1000);
    expect((await show(gone.id)).status).toBe(404);
    expect((await show(kept.id)).status).toBe(200);
  });

  it('stays for as long as a live task reads it, and no longer', async () => {
    const { id } = await ready();
    const task = await cut(id);
    const job = await transcoder.jobOf(task.id);
    await expire(id);
    await sweep();
    expect(await objectsOf(id)).toEqual([1000]);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    await sweep();
    expect(await objectsOf(id)).toEqual([]);
  });

  it('goes with DELETE at once: a task that waits to read it fails and says so', async () => {
    const by = await service.createAccount('basic');
    const { id } = await ready(mp4(), by);
    const body = { video_url: 'https://media.example.com/talk.mp4', duration: 1 };
    const running = [await service.submit('/cut', body, by.key), await service.submit('/cut', body, by.key)];
    const jobs = await Promise.all(running.map((task) => transcoder.jobOf(task.id)));
    const waiting = await cut(id, by);
    expect((await service.request(`/uploads/${id}`, { method: 'DELETE', key: by.key })).status).toBe(200);
    expect(await objectsOf(id)).toEqual([]);
    for (const job of jobs) await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    const ended = await service.finished(waiting.id, by.key, 20);
    expect(ended.error).toMatchObject({ code: 'source_gone', source_index: 0, retryable: false });
  });
});

describe('what was never completed', () => {
  it('goes with the sweep: a file that was sent whole', async () => {
    const made = await create({ size_bytes: 1000 });
    await send(made, mp4());
    await sweep();
    expect(await objectsOf(made.id)).toEqual([1000]);
    await expire(made.id);
    await sweep();
    expect(await objectsOf(made.id)).toEqual([]);
  });

  it('is not ready where its check ends after its time: the sweep has deleted the file', async () => {
    const made = await create({ size_bytes: 1000 });
    await send(made, mp4());
    const checked = { status: 'ready', completedAt: Date.now(), expiresAt: Date.now() + 1e9 } as const;
    const { DB } = await service.bindings();
    const settle = () => uploadsRepo(drizzle(DB as never)).settle(account.id, made.id, Date.now(), checked);
    await expire(made.id);
    expect(await settle()).toBeNull();
    await sweep();
    expect(await settle()).toBeNull();
    expect(await statusOf(made.id)).toBe('expired');
  });

  it('goes with the sweep, and with DELETE: parts that were never joined', async () => {
    const partOf = async ({ parts: [first] }: Upload) =>
      (await put(first?.url ?? '', Buffer.alloc(first?.size_bytes ?? 0))).status;
    const [swept, deleted] = [
      await create({ size_bytes: SINGLE_PUT_BYTES + 1 }),
      await create({ size_bytes: SINGLE_PUT_BYTES + 1 }),
    ];
    expect([await partOf(swept), await partOf(deleted)]).toEqual([200, 200]);
    await expire(swept.id);
    await sweep();
    await service.request(`/uploads/${deleted.id}`, { method: 'DELETE', key: account.key });
    expect([await partOf(swept), await partOf(deleted)]).toEqual([404, 404]);
  });

  it('no longer counts as stored once it is swept', async () => {
    const by = await service.createAccount('basic');
    const full = async () => {
      const json = { file_name: 'x.mp4', size_bytes: 500_000_000 };
      return (await service.request('/uploads', { json, key: by.key })).status === 409;
    };
    while (!(await full()));
    await run('update uploads set expires_at = 1 where account_id = ?', by.id);
    await sweep();
    expect(await full()).toBe(false);
  });
});

it('a file that arrives after its upload was deleted goes with the sweep', async () => {
  const made = await create({ size_bytes: 1000 });
  await service.request(`/uploads/${made.id}`, { method: 'DELETE', key: account.key });
  await send(made, mp4());
  await (await bucket()).put('u/readme.txt', 'of the operator');
  await sweep();
  expect(await objectsOf(made.id)).toEqual([]);
  expect((await (await bucket()).list({ prefix: 'u/readme' })).objects).toHaveLength(1);
});

it('the list has every upload once, newest first, without URLs', async () => {
  const by = await service.createAccount('boost');
  const made = [];
  for (let count = 0; count < 5; count++) made.push((await create({ size_bytes: 10 + count }, by)).id);
  const page = async (query: string) =>
    uploadList.parse(await (await service.request(`/uploads${query}`, { key: by.key })).json());
  const first = await page('?limit=2');
  const second = await page(`?limit=2&cursor=${first.next_cursor}`);
  const third = await page(`?limit=2&cursor=${second.next_cursor}`);
  const ids = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
  expect(ids).toEqual(made.toReversed());
  expect([first.has_more, second.has_more, third.has_more, third.next_cursor]).toEqual([
    true,
    true,
    false,
    null,
  ]);
  expect(first.data.every(({ url, parts }) => url === null && parts.length === 0)).toBe(true);
  const wrong = await service.request('/uploads?cursor=x', { key: by.key });
  expect(await problemOf(wrong)).toMatchObject({ code: 'validation_failed', pointers: ['/cursor'] });
});
