import { and, eq, gte, lte, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { accounts, archiveChunks, tasks } from '../../drizzle/tables.ts';
import { idHead, timeOf } from '../../schema/task/ids.ts';
import { DAY_MS } from '../../schema/time.ts';
import { linesIn, packed, taskAmong, taskOfLine } from './archive-chunk.ts';
import { chunkListQuery, fits, type Listed, merged, searchFloor } from './archive-list.ts';
import { isIn } from './is-in.ts';
import type { TaskFilter } from './task-list.ts';
import type { TaskRow, TaskView } from './task-row.ts';

type ChunkRow = typeof archiveChunks.$inferSelect;
type NewChunk = Pick<ChunkRow, 'key' | 'accountId' | 'removeAt' | 'begunAt'>;
interface FilledChunk {
  chunk: NewChunk;
  records: readonly TaskRow[];
}

/** A chunk that is missing when opened was replaced after its row was read. */
const TRIES = 3;

/** By how much a task may be admitted later than its id says, at most. */
const ADMITTED_MS = 3600_000;

const kept = eq(archiveChunks.state, 'kept');

/** The part of R2 that is used. */
export interface Bucket {
  get(key: string): Promise<{ body: ReadableStream } | null>;
  put(key: string, value: ArrayBuffer, options: { httpMetadata: { contentType: string } }): Promise<unknown>;
  delete(keys: string[]): Promise<void>;
}

/** Ended tasks without files, stored as objects in R2 with an index in D1. */
export function archiveRepo(db: DrizzleD1Database, bucket: Bucket) {
  async function lines({ key }: Pick<ChunkRow, 'key'>): Promise<string[] | null> {
    const object = await bucket.get(key);
    return object && linesIn(object.body);
  }

  /**
   * The kept chunks that may contain a task: few, because their days rarely overlap. They hold tasks of a day by the time at which
   * those were admitted. That is later than the time in an id, by at most the retries of a request whose answer was lost and the
   * difference of two clocks.
   */
  async function candidates(accountId: string, id: string): Promise<ChunkRow[]> {
    const { firstId, lastId } = archiveChunks;
    const within = and(gte(lastId, id), lte(lastId, `${idHead('task', timeOf(id) + DAY_MS + ADMITTED_MS)}~`));
    return db
      .select()
      .from(archiveChunks)
      .where(and(eq(archiveChunks.accountId, accountId), kept, within, lte(firstId, id)));
  }

  async function holding(accountId: string, id: string, open = lines) {
    for (let attempt = 1; ; attempt++) {
      const opened = await Promise.all(
        (await candidates(accountId, id)).map(async (chunk) => ({ chunk, lines: await open(chunk) })),
      );
      for (const { chunk, lines } of opened) {
        const task = lines && taskAmong(lines, id);
        if (task) return { chunk, lines, task };
      }
      if (opened.every(({ lines }) => lines !== null)) return null;
      if (attempt === TRIES) throw new Error(`archive of ${accountId}: a chunk around ${id} is missing`);
    }
  }

  /** Writes the rows of objects before the objects themselves, so that no object exists without a row. */
  async function begin(chunks: readonly ChunkRow[]): Promise<void> {
    const columns = Object.values(archiveColumns).map(({ name }) => sql.identifier(name));
    const values = Object.keys(archiveColumns).map((field) => sql.raw(`value ->> '$.${field}'`));
    await db.run(sql`insert into ${archiveChunks} (${sql.join(columns, sql`, `)})
      select ${sql.join(values, sql`, `)} from json_each(${JSON.stringify(chunks)})`);
  }

  /** Writes an object and reads it back. @throws if it does not contain exactly these tasks */
  async function write(key: string, tasks: readonly TaskRow[]): Promise<void> {
    await bucket.put(key, await packed(tasks), { httpMetadata: { contentType: 'application/gzip' } });
    const written = await lines({ key });
    const same =
      written?.length === tasks.length && tasks.every((task, n) => written[n] === JSON.stringify(task));
    if (!same) throw new Error(`${key} differs from the written data`);
  }

  const { state } = archiveChunks;

  /** Writes chunks, then commits them. Deletes the objects of those that were removed while they were written. */
  async function writeAll<T>(chunks: readonly FilledChunk[], commit: () => Promise<T>): Promise<T> {
    const keys = chunks.map(({ chunk }) => chunk.key);
    await begin(chunks.map(({ chunk, records }) => chunkRow(chunk, records)));
    try {
      const written = await Promise.allSettled(chunks.map(({ chunk, records }) => write(chunk.key, records)));
      for (const each of written) if (each.status === 'rejected') throw each.reason;
      return await commit();
    } finally {
      await withdraw(keys);
    }
  }

  /** Deletes the objects of these chunks whose rows are gone or about to go. */
  async function withdraw(keys: readonly string[]): Promise<void> {
    const rows = await db
      .select({ key: archiveChunks.key })
      .from(archiveChunks)
      .where(and(isIn(archiveChunks.key, keys), sql`${state} <> 'removing'`));
    const wanted = new Set(rows.map(({ key }) => key));
    const unwanted = keys.filter((key) => !wanted.has(key));
    if (unwanted.length > 0) await bucket.delete(unwanted);
  }

  /**
   * A page of the list: `recent` (its first `limit` tasks from the database) merged with archived tasks. A task that moves
   * during the read may be in both. The database must be read first; otherwise it may be in neither.
   */
  async function page(
    accountId: string,
    filter: TaskFilter,
    limit: number,
    recent: readonly TaskView[],
    attempt = 1,
  ): Promise<TaskView[]> {
    let rows = [...recent];
    for (let after: Listed | undefined; ; ) {
      const last = rows[limit - 1];
      const listed = await db.all<Listed>(chunkListQuery(accountId, filter, last?.createdAt ?? null, after));
      // As many chunks as fill the page if every task in them matches.
      let expected = rows.length;
      const chunks = listed.filter(({ taskCount }, index) => {
        const wanted = index === 0 || expected < limit;
        expected += taskCount;
        return wanted;
      });
      after = chunks.at(-1);
      if (!after) return rows;
      const opened = await Promise.all(chunks.map(lines));
      if (opened.includes(null) && attempt < TRIES)
        return page(accountId, filter, limit, recent, attempt + 1);
      if (opened.includes(null)) throw new Error(`archive of ${accountId}: a chunk is missing`);
      const found = opened
        .flatMap((text) => text ?? [])
        .map((line) => ({ ...taskOfLine(line), queuePosition: null }));
      rows = merged(
        rows,
        found.filter((task) => fits(task, filter)),
      ).slice(0, limit);
    }
  }

  /** Deletes the objects of removed chunks, then their rows. Up to 1000. */
  async function erase(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await bucket.delete([...keys]);
    await db.delete(archiveChunks).where(and(isIn(archiveChunks.key, keys), eq(state, 'removing')));
  }

  return {
    async find(accountId: string, id: string): Promise<TaskRow | null> {
      return (await holding(accountId, id))?.task ?? null;
    },

    /** The archived ones of these tasks. A chunk that has several of them is opened once, and one chunk after the other. */
    async findAll(accountId: string, ids: readonly string[]): Promise<TaskRow[]> {
      let last: { key: string; opened: string[] | null } | null = null;
      const open = async ({ key }: Pick<ChunkRow, 'key'>) => {
        if (last?.key !== key || last.opened === null) last = { key, opened: await lines({ key }) };
        return last.opened;
      };
      const found: TaskRow[] = [];
      for (const id of ids.toSorted()) {
        const { task } = (await holding(accountId, id, open)) ?? {};
        if (task) found.push(task);
      }
      return found;
    },

    page,

    /** The earliest creation time that one page of a search may look at, in epoch ms; null if it may look at everything. */
    async searchFloor(accountId: string, filter: TaskFilter): Promise<number | null> {
      return searchFloor(await db.all<Listed>(chunkListQuery(accountId, filter, null)));
    },

    /**
     * Moves tasks from the database into new chunks. The only commit is a database transaction: before it, the written objects
     * do not count; after it, the records are gone. A chunk is not committed if one of its tasks was deleted in the meantime.
     * @returns how many tasks were moved
     */
    async move(chunks: readonly FilledChunk[]): Promise<number> {
      const moves = JSON.stringify(
        chunks.map(({ chunk, records }) => [chunk.key, records.map(({ id }) => id)]),
      );
      const commit = () =>
        db.batch([
          db
            .update(archiveChunks)
            .set({ state: 'kept' })
            .where(sql`${state} = 'writing' and ${archiveChunks.key} in (select value ->> 0 from json_each(${moves}))
            and ${archiveChunks.taskCount} = (
              select count(*) from json_each(${moves}) as move cross join json_each(move.value, '$[1]') as one
              cross join tasks on tasks.id = one.value
              where move.value ->> 0 = ${archiveChunks.key} and tasks.status in ('completed', 'failed'))`),
          db.delete(tasks).where(sql`${tasks.id} in (
          select one.value from json_each(${moves}) as move
          join archive_chunks on archive_chunks.key = move.value ->> 0 and archive_chunks.state = 'kept',
          json_each(move.value, '$[1]') as one)`),
        ]);
      const [, moved] = await writeAll(chunks, commit);
      return moved.meta.changes;
    },

    /** Removes a task from the archive. @returns whether it was there */
    async remove(accountId: string, id: string, now: number): Promise<boolean> {
      for (;;) {
        const found = await holding(accountId, id);
        if (!found) return false;
        const { chunk, lines } = found;
        const rest = lines.map(taskOfLine).filter((task) => task.id !== id);
        const { removeAt } = chunk;
        const next = newChunkKey(accountId);
        const nextChunk = { chunk: { key: next, accountId, removeAt, begunAt: now }, records: rest };
        const replacement = rest.length > 0 ? next : null;
        const prepared =
          replacement === null
            ? sql`true`
            : sql`exists (select 1 from archive_chunks as next where next.key = ${next} and next.state = 'writing')`;
        const commit = () =>
          db.batch([
            db
              .update(archiveChunks)
              .set({ state: 'removing', replacedBy: replacement })
              .where(and(eq(archiveChunks.key, chunk.key), kept, prepared))
              .returning({ key: archiveChunks.key }),
            db
              .update(archiveChunks)
              .set({ state: 'kept' })
              .where(
                sql`${archiveChunks.key} = ${next} and ${state} = 'writing'
                and exists (select 1 from archive_chunks as old where old.key = ${chunk.key} and old.replaced_by = ${next})`,
              ),
          ]);
        const [replaced] = await (replacement === null ? commit() : writeAll([nextChunk], commit));
        if (replaced.length === 0) continue;
        await erase([chunk.key]);
        return true;
      }
    },

    /** Chunks whose retention, as of when they were written, is over, with the current plan of their account. */
    async due(now: number, limit: number) {
      const { key, endedAt, removeAt } = archiveChunks;
      return db
        .select({ key, endedAt, plan: accounts.plan })
        .from(archiveChunks)
        .innerJoin(accounts, eq(accounts.id, archiveChunks.accountId))
        .where(and(lte(removeAt, now), kept))
        .orderBy(removeAt)
        .limit(limit);
    },

    /** Extends the retention of a chunk. */
    async postpone(key: string, removeAt: number): Promise<void> {
      await db.update(archiveChunks).set({ removeAt }).where(eq(archiveChunks.key, key));
    },

    /** Removes chunks from the archive; `erase` deletes their objects. */
    async drop(keys: readonly string[]): Promise<void> {
      await db
        .update(archiveChunks)
        .set({ state: 'removing' })
        .where(and(isIn(archiveChunks.key, keys), kept));
    },

    /** Chunks to clean up: removed ones, and those whose writer did not finish within `patience`. */
    async unfinished(now: number, patience: number, limit: number): Promise<string[]> {
      const { key, begunAt } = archiveChunks;
      const abandoned = sql`${state} = 'writing' and (${begunAt} < ${now - patience} or ${begunAt} > ${now + patience})`;
      await db
        .update(archiveChunks)
        .set({ state: 'removing' })
        .where(sql`${state} <> 'kept' and ${abandoned}`);
      const rows = await db
        .select({ key })
        .from(archiveChunks)
        .where(and(sql`${state} <> 'kept'`, eq(state, 'removing')))
        .limit(limit);
      return rows.map((row) => row.key);
    },

    erase,

    /** Removes chunks, whatever their state, with their objects. Up to 1000. */
    async discard(accountId: string, keys: readonly string[]): Promise<void> {
      if (keys.length === 0) return;
      // Marked before their objects are deleted: a writer that finds no mark had written its objects by then.
      await db
        .update(archiveChunks)
        .set({ state: 'removing' })
        .where(and(isIn(archiveChunks.key, keys), eq(archiveChunks.accountId, accountId)));
      await erase(keys);
    },
  };
}

export const newChunkKey = (accountId: string) => `archive/${accountId}/${crypto.randomUUID()}`;

const archiveColumns = {
  key: archiveChunks.key,
  accountId: archiveChunks.accountId,
  state: archiveChunks.state,
  firstId: archiveChunks.firstId,
  lastId: archiveChunks.lastId,
  oldestAt: archiveChunks.oldestAt,
  newestAt: archiveChunks.newestAt,
  endedAt: archiveChunks.endedAt,
  removeAt: archiveChunks.removeAt,
  taskCount: archiveChunks.taskCount,
  contents: archiveChunks.contents,
  begunAt: archiveChunks.begunAt,
} as const;

function chunkRow(chunk: NewChunk, tasks: readonly TaskRow[]): ChunkRow {
  const ids = tasks.map(({ id }) => id).sort();
  const created = tasks.map(({ createdAt }) => createdAt);
  const ended = tasks.map(({ completedAt }) => completedAt ?? 0);
  const contents = new Map(
    tasks.map(({ operation, status }) => [`${operation} ${status}`, [operation, status]]),
  );
  return {
    ...chunk,
    state: 'writing',
    firstId: ids[0] ?? '',
    lastId: ids.at(-1) ?? '',
    oldestAt: Math.min(...created),
    newestAt: Math.max(...created),
    endedAt: Math.max(...ended),
    taskCount: tasks.length,
    contents: [...contents.values()] as ChunkRow['contents'],
    replacedBy: null,
  };
}
