import { drizzle } from 'drizzle-orm/d1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlanName } from '../../schema/api/plans.ts';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { idHead } from '../../schema/task/ids.ts';
import { type TaskList, taskList } from '../../schema/task/task-list.ts';
import { accountsRepo } from '../../worker/repos/accounts.ts';
import { archiveRepo, type Bucket } from '../../worker/repos/archive.ts';
import { retentionRepo } from '../../worker/repos/retention.ts';
import {
  archiveTasks,
  cleanArchive,
  removeOldRecords,
} from '../../worker/services/maintenance/archive-tasks.ts';
import { type Service, startService, type TestAccount } from '../harness.ts';
import { measured, writeTasks } from './records-at-scale.ts';

const DAY_MS = 24 * 3600_000;
const now = Date.now();
const old = now - 9 * DAY_MS;

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
});
afterAll(() => service.close());

type Database = Parameters<typeof drizzle>[0];

/** The sweeper's work on the service's own D1 and R2, with what a test puts between. */
async function archiver(faults: { bucket?: Partial<Bucket>; db?: (db: Database) => Database } = {}) {
  const { DB, FILES } = (await service.bindings()) as unknown as { DB: Database; FILES: Bucket };
  const bucket = { get: FILES.get.bind(FILES), put: FILES.put.bind(FILES), delete: FILES.delete.bind(FILES) };
  const db = drizzle(faults.db?.(DB) ?? DB);
  const archive = archiveRepo(db, { ...bucket, ...faults.bucket } as Bucket);
  const context = { archive, retention: retentionRepo(db), accounts: accountsRepo(db) } as never;
  return {
    archive,
    async run(at = now) {
      while (await archiveTasks(context, at));
    },
    clean: (at = now) => cleanArchive(context, at),
    expire: (at: number) => removeOldRecords(context, at),
  };
}

async function accountWith(ended: number, plan: PlanName = 'elite'): Promise<TestAccount> {
  const account = await service.createAccount(plan);
  await writeTasks(service, account, { ended, waiting: 0, until: old });
  return account;
}

async function list(key: string, query: Record<string, string> = {}): Promise<TaskList> {
  const response = await service.request(`/tasks?${new URLSearchParams(query)}`, { key });
  expect(response.status).toBe(200);
  return taskList.parse(await response.json());
}

async function everything(key: string, query: Record<string, string> = {}) {
  const tasks: TaskList['data'] = [];
  let cursor: string | null = null;
  do {
    const page: TaskList = await list(key, { limit: '7', ...query, ...(cursor ? { cursor } : {}) });
    tasks.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return tasks;
}

const rows = async <T>(sql: string, ...params: unknown[]) =>
  (await measured<T>(service, { sql, params })).rows;
const recordsOf = async (id: string) =>
  (await rows<{ n: number }>('select count(*) as n from tasks where account_id = ?', id))[0]?.n;
const get = (id: string, { key }: TestAccount) => service.request(`/task/${id}`, { key });
const codeOf = async (response: Response) => problemSchema.parse(await response.json()).code;

/** Objects and rows of the archive agree, and each object is kept. */
async function soundArchive({ id }: TestAccount): Promise<void> {
  const { FILES } = await service.bindings();
  const { objects } = await FILES.list({ prefix: `archive/${id}/` });
  const kept = await rows<{ key: string; state: string }>(
    'select key, state from archive_chunks where account_id = ? order by key',
    id,
  );
  expect(kept.map(({ key, state }) => `${key} ${state}`)).toEqual(
    objects.map(({ key }) => `${key} kept`).sort(),
  );
}

describe('a task that has moved to the archive', () => {
  it('is the same in every answer', async () => {
    const account = await accountWith(45);
    const recent = await service.submit('/probe', { url: 'https://media.example.com/a.mp4' }, account.key);
    const queries = [
      {},
      { status: 'failed' },
      { operation: 'cut' },
      { operation: 'cut', status: 'failed' },
      { operation: 'probe' },
      { created_after: new Date(old - 20_000).toISOString() },
      { created_before: new Date(old - 20_000).toISOString(), status: 'completed' },
    ];
    const lists = await Promise.all(queries.map((query) => everything(account.key, query)));
    const [all = []] = lists;
    expect(all).toHaveLength(46);
    const read = async ({ id }: { id: string }) => (await get(id, account)).json();
    const [first, , , last] = all;
    const before = [await read(first ?? recent), await read(last ?? recent)];
    await (await archiver()).run();
    expect(await recordsOf(account.id)).toBe(1);
    expect(await Promise.all(queries.map((query) => everything(account.key, query)))).toEqual(lists);
    expect([await read(first ?? recent), await read(last ?? recent)]).toEqual(before);
    await soundArchive(account);
  });

  it('finds a task that was admitted on the day after its id', async () => {
    const account = await accountWith(2);
    const midnight = (Math.floor(old / DAY_MS) - 1) * DAY_MS;
    const moved = [
      [midnight - 100, midnight + 100],
      [midnight + DAY_MS - 50, midnight + DAY_MS - 50],
    ] as const;
    const ids: string[] = [];
    for (const [index, { id }] of (await everything(account.key)).entries()) {
      const [named = 0, admitted = 0] = moved[index] ?? [];
      const own = `${idHead('task', named)}${id.slice(idHead('task', named).length)}`;
      const sql = 'update tasks set id = ?, created_at = ? where id = ?';
      await measured(service, { sql, params: [own, admitted, id] });
      ids.push(own);
    }
    await (await archiver()).run();
    expect(await recordsOf(account.id)).toBe(0);
    for (const id of ids) expect((await get(id, account)).status).toBe(200);
  });

  it('keeps its place between tasks that have not moved', async () => {
    const account = await accountWith(20);
    const all = await everything(account.key);
    // Every third has files that have not expired.
    const staying = all.filter((_, index) => index % 3 === 0).map(({ id }) => id);
    await rows(
      `update tasks set expires_at = ? where id in (select value from json_each(?))`,
      now + DAY_MS,
      JSON.stringify(staying),
    );
    const expected = await everything(account.key);
    await (await archiver()).run();
    expect(await recordsOf(account.id)).toBe(staying.length);
    expect(await everything(account.key)).toEqual(expected);
  });

  it('has no file any more, says why, and is no source', async () => {
    const account = await accountWith(10);
    await (await archiver()).run();
    const tasks = await everything(account.key);
    const failed = tasks.find(({ status }) => status === 'failed');
    const download = await service.request(`/task/${failed?.id}/download`, { key: account.key });
    expect(await codeOf(download)).toBe('task_failed');
    const json = { video_url: `task:${failed?.id}`, duration: 1 };
    const refused = await service.request('/cut', { key: account.key, json });
    expect(problemSchema.parse(await refused.json()).errors?.[0]?.code).toBe('task_failed');
  });

  it('is nobody else’s', async () => {
    const account = await accountWith(5);
    const stranger = await accountWith(5);
    await (await archiver()).run();
    const [task] = await everything(account.key);
    expect((await get(task?.id ?? '', stranger)).status).toBe(404);
    expect((await service.request(`/task/${task?.id}`, { method: 'DELETE', key: stranger.key })).status).toBe(
      404,
    );
    expect((await get(task?.id ?? '', account)).status).toBe(200);
    expect((await everything(stranger.key)).map(({ id }) => id)).not.toContain(task?.id);
  });

  it('is deleted like any other, down to the last of its chunk', async () => {
    const account = await accountWith(3);
    await (await archiver()).run();
    const ids = (await everything(account.key)).map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      const { status } = await service.request(`/task/${id}`, { method: 'DELETE', key: account.key });
      expect(status).toBe(200);
      expect((await get(id, account)).status).toBe(404);
      expect((await everything(account.key)).map((task) => task.id)).toEqual(ids.slice(index + 1));
      await soundArchive(account);
    }
  });

  it('stays for as long as the present plan of its account says', async () => {
    const account = await accountWith(4, 'basic');
    const { run, expire } = await archiver();
    await run();
    await rows(`update accounts set plan = 'elite' where id = ?`, account.id);
    await expire(old + 200 * DAY_MS);
    expect(await everything(account.key)).toHaveLength(4);
    await expire(old + 366 * DAY_MS);
    expect(await everything(account.key)).toEqual([]);
    await soundArchive(account);
  });
});

describe('a move that is interrupted', () => {
  const interruptions: Record<string, Parameters<typeof archiver>[0]> = {
    'before the object is written': {
      bucket: { put: () => Promise.reject(new Error('no')) } as Partial<Bucket>,
    },
    'by an object that does not arrive': { bucket: { put: () => Promise.resolve(null) } as never },
    'before the object is read again': {
      bucket: { get: () => Promise.reject(new Error('no')) } as Partial<Bucket>,
    },
    'before the commit': { db: faulty((statement) => statement.includes('"state" = ?'), 'before') },
    'after the commit': { db: faulty((statement) => statement.includes('"state" = ?'), 'after') },
  };

  it.each(Object.entries(interruptions))(
    '%s loses and doubles nothing, and is made good',
    async (_, faults) => {
      const account = await accountWith(30);
      const expected = await everything(account.key);
      await expect((await archiver(faults)).run()).rejects.toThrow();
      expect(await everything(account.key)).toEqual(expected);
      const sound = await archiver();
      await sound.run();
      expect(await recordsOf(account.id)).toBe(0);
      expect(await everything(account.key)).toEqual(expected);
      await sound.clean(now + 2 * 3600_000);
      await soundArchive(account);
    },
  );

  it('by an object that holds something else leaves the records where they are', async () => {
    const account = await accountWith(5);
    const { FILES } = (await service.bindings()) as unknown as { FILES: Bucket };
    const empty = new Uint8Array([31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]).buffer;
    const put = (key: string) => FILES.put(key, empty, { httpMetadata: { contentType: 'application/gzip' } });
    await expect((await archiver({ bucket: { put } as never })).run()).rejects.toThrow(
      'differs from the written data',
    );
    expect(await recordsOf(account.id)).toBe(5);
  });

  it('by a deletion neither brings the task back nor loses the others', async () => {
    const account = await accountWith(6);
    const [gone, ...others] = await everything(account.key);
    const { FILES } = (await service.bindings()) as unknown as { FILES: Bucket };
    const put = async (key: string, value: ArrayBuffer) => {
      await service.request(`/task/${gone?.id}`, { method: 'DELETE', key: account.key });
      return FILES.put(key, value, { httpMetadata: { contentType: 'application/gzip' } });
    };
    const racing = await archiver({ bucket: { put } as never });
    await racing.run();
    expect(await everything(account.key)).toEqual(others);
    await racing.run();
    await racing.clean(now + 2 * 3600_000);
    expect(await recordsOf(account.id)).toBe(0);
    expect(await everything(account.key)).toEqual(others);
    await soundArchive(account);
  });
});

describe('a deletion from the archive', () => {
  it('that is interrupted anywhere leaves the task or removes it, and the others stay', async () => {
    for (const fault of [
      { bucket: { put: () => Promise.reject(new Error('no')) } as never },
      { bucket: { delete: () => Promise.reject(new Error('no')) } as never },
      { db: faulty((statement) => statement.includes('"replaced_by" = ?'), 'before') },
      { db: faulty((statement) => statement.includes('"replaced_by" = ?'), 'after') },
    ]) {
      const account = await accountWith(4);
      await (await archiver()).run();
      const [gone, ...others] = await everything(account.key);
      await expect((await archiver(fault)).archive.remove(account.id, gone?.id ?? '', now)).rejects.toThrow();
      const left = await everything(account.key);
      expect(left.filter(({ id }) => id !== gone?.id)).toEqual(others);
      const sound = await archiver();
      await sound.archive.remove(account.id, gone?.id ?? '', now);
      expect(await everything(account.key)).toEqual(others);
      await sound.clean(now + 2 * 3600_000);
      await soundArchive(account);
    }
  });

  it('that meets another of the same chunk removes both', async () => {
    const account = await accountWith(8);
    const { run, archive } = await archiver();
    await run();
    const [a, b, c, ...others] = await everything(account.key);
    const removed = [a, b, c].map((task) => archive.remove(account.id, task?.id ?? '', now));
    expect(await Promise.all(removed)).toEqual([true, true, true]);
    expect(await everything(account.key)).toEqual(others);
  });
});

describe('the records of an account that is deleted', () => {
  const chunksOf = async ({ id }: TestAccount) =>
    (await rows<{ key: string }>('select key from archive_chunks where account_id = ?', id)).map(
      ({ key }) => key,
    );

  /** A bucket into which an object is put after a deletion has discarded the chunks. */
  async function lateBucket(account: TestAccount, { answers = true } = {}): Promise<Partial<Bucket>> {
    const { FILES } = (await service.bindings()) as unknown as { FILES: Bucket };
    const { archive } = await archiver();
    return {
      async put(...given) {
        await archive.discard(account.id, await chunksOf(account));
        await FILES.put(...given);
        if (!answers) throw new Error('the answer of the bucket is lost');
      },
    };
  }

  async function nothingIsLeftOf(account: TestAccount): Promise<void> {
    expect(await chunksOf(account)).toEqual([]);
    await soundArchive(account);
  }

  it.each([true, false])('are gone where they moved meanwhile (the bucket answers: %s)', async (answers) => {
    const account = await accountWith(4);
    const { run } = await archiver({ bucket: await lateBucket(account, { answers }) });
    if (answers) await run();
    else await expect(run()).rejects.toThrow('answer of the bucket');
    expect(await recordsOf(account.id)).toBe(4);
    await nothingIsLeftOf(account);
  });

  it('are gone where one of them was deleted meanwhile', async () => {
    const account = await accountWith(4);
    await (await archiver()).run();
    const [one] = await everything(account.key);
    const { archive } = await archiver({ bucket: await lateBucket(account) });
    expect(await archive.remove(account.id, one?.id ?? '', now)).toBe(false);
    await nothingIsLeftOf(account);
  });

  it('are gone where an object arrives between the removal of objects and that of rows', async () => {
    const account = await accountWith(4);
    const { FILES } = (await service.bindings()) as unknown as { FILES: Bucket };
    const [removed, moved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const removing = async (keys: string[]) => {
      await FILES.delete(keys);
      removed.resolve();
      await moved.promise;
    };
    const { archive } = await archiver({ bucket: { delete: removing } });
    let discarded: Promise<void> | undefined;
    const put: Bucket['put'] = async (...given) => {
      discarded = archive.discard(account.id, await chunksOf(account));
      await removed.promise;
      return FILES.put(...given);
    };
    await (await archiver({ bucket: { put } })).run();
    moved.resolve();
    await discarded;
    await nothingIsLeftOf(account);
  });
});

/** A database whose batch with such a statement fails, before it was done or after. */
function faulty(strikes: (statement: string) => boolean, when: 'before' | 'after') {
  return (db: Database): Database => {
    const wanted = new Set<unknown>();
    const prepare = (text: string) => {
      const statement = (
        db as unknown as { prepare(text: string): { bind(...values: unknown[]): unknown } }
      ).prepare(text);
      return new Proxy(statement, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (name !== 'bind') return typeof value === 'function' ? value.bind(target) : value;
          return (...values: unknown[]) => {
            const bound = target.bind(...values);
            if (strikes(text)) wanted.add(bound);
            return bound;
          };
        },
      });
    };
    const batch = async (statements: unknown[]) => {
      const struck = statements.some((statement) => wanted.has(statement));
      if (struck && when === 'before') throw new Error('the database does not answer');
      const results = await (db as unknown as { batch(all: unknown[]): Promise<unknown> }).batch(statements);
      if (struck) throw new Error('the answer of the database is lost');
      return results;
    };
    return { prepare, batch } as never;
  };
}
