import { and, eq, gt, isNull, lt, lte, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { archivableAt, withoutFiles } from '../../drizzle/archivable.ts';
import { sweepPositions, tasks } from '../../drizzle/tables.ts';
import { DAY_MS } from '../../schema/time.ts';
import { isIn } from './is-in.ts';
import type { TaskRow } from './task-row.ts';
import { isHeld } from './task-sources.ts';

/** The parts of a record that concern the objects of its task. */
interface Holding extends Pick<TaskRow, 'id' | 'status' | 'attempt' | 'expiresAt'> {
  /** Keys of the objects of its result. */
  keys: readonly string[];
  /** Whether a live task reads the result. */
  held: boolean;
}

/** The object keys of a result, without the rest of it, which may be large. */
const fileKeys = sql<
  string | null
>`(select json_group_array(value ->> 'key') from json_each(${tasks.result}, '$.files'))`;
const keysOf = (json: string | null) => JSON.parse(json ?? '[]') as string[];

/** A task that may be archived, with the size of its record in characters. */
interface Archivable {
  id: string;
  accountId: string;
  day: number;
  size: number;
}

/** Reads only the first `limit` tasks that may be archived, so its cost does not depend on their number. */
function archivableDaysQuery(now: number, limit: number): SQL {
  return sql`select distinct account_id as accountId, created_at / ${sql.raw(String(DAY_MS))} as day from (
    select account_id, created_at from tasks
    where ${withoutFiles(tasks)} and ${archivableAt(tasks)} <= ${now}
    order by ${archivableAt(tasks)} limit ${limit})`;
}

function archivableQuery(days: readonly [string, number][], now: number, limit: number): SQL {
  const columns = {
    completedAt: sql.raw('of_day.completed_at'),
    expiresAt: sql.raw('of_day.expires_at'),
    filesRemovedAt: sql.raw('of_day.files_removed_at'),
  };
  const day = sql.raw(String(DAY_MS));
  return sql`select tasks.id, tasks.account_id as accountId, tasks.created_at / ${day} as day,
      length(tasks.input) + length(tasks.metadata) + coalesce(length(tasks.result), 0)
        + coalesce(length(tasks.error), 0) + coalesce(length(tasks.plan), 0) as size
    from json_each(${JSON.stringify(days)}) as wanted cross join tasks on tasks.id in (
      select of_day.id from tasks as of_day
      where of_day.account_id = wanted.value ->> 0 and of_day.status in ('completed', 'failed')
        and of_day.created_at >= (wanted.value ->> 1) * ${day} and of_day.created_at < (wanted.value ->> 1) * ${day} + ${day}
        and ${withoutFiles(columns)} and ${archivableAt(columns)} <= ${now}
      order by of_day.created_at, of_day.id limit ${limit})
    where not ${isHeld}
    order by wanted.key, tasks.created_at, tasks.id`;
}

const liveTaskOf = { id: tasks.id, accountId: tasks.accountId };

export type LiveTaskOf = Pick<TaskRow, keyof typeof liveTaskOf>;

/** The sweeper's queries and writes, all of which may be repeated. */
export function retentionRepo(db: DrizzleD1Database) {
  return {
    /** Running tasks whose lease has expired or, after the clock was set back, ends later than any lease can. */
    async overdue(now: number, longest: number, limit: number): Promise<LiveTaskOf[]> {
      return db
        .select(liveTaskOf)
        .from(tasks)
        .where(
          and(
            eq(tasks.status, 'processing'),
            or(lt(tasks.leaseExpiresAt, now), gt(tasks.leaseExpiresAt, now + longest)),
          ),
        )
        .limit(limit);
    },

    /** Tasks after this id that have waited longer than `pause`, or since a time in the future. */
    async waiting(now: number, pause: number, after: string, limit: number): Promise<LiveTaskOf[]> {
      // No queued task has a lease; the condition makes SQLite use an index ordered by id.
      const queued = and(eq(tasks.status, 'queued'), isNull(tasks.leaseExpiresAt));
      const long = or(lt(tasks.createdAt, now - pause), gt(tasks.createdAt, now + pause));
      const waits = and(queued, long, ne(tasks.stage, 'done'));
      return db
        .select(liveTaskOf)
        .from(tasks)
        .where(and(waits, gt(tasks.id, after)))
        .orderBy(tasks.id)
        .limit(limit);
    },

    /** Tasks with expired files not yet known to be deleted, except those that live tasks read. */
    async expired(now: number, limit: number): Promise<{ id: string; keys: string[] }[]> {
      const rows = await db
        .select({ id: tasks.id, keys: fileKeys })
        .from(tasks)
        .where(and(isNull(tasks.filesRemovedAt), lte(tasks.expiresAt, now), not(isHeld)))
        .limit(limit);
      return rows.map(({ id, keys }) => ({ id, keys: keysOf(keys) }));
    },

    async filesRemoved(ids: readonly string[], now: number): Promise<void> {
      await db.update(tasks).set({ filesRemovedAt: now }).where(isIn(tasks.id, ids));
    },

    /** Accounts, each with a UTC day (counted from 1970) on which tasks were created that may be archived at `now`. */
    async archivableDays(now: number, limit: number): Promise<[accountId: string, day: number][]> {
      const rows = await db.all<{ accountId: string; day: number }>(archivableDaysQuery(now, limit));
      return rows.map(({ accountId, day }) => [accountId, day]);
    },

    /** The first tasks of each of these days that may be archived at `now`, ordered by creation. */
    async archivable(days: readonly [string, number][], now: number, limit: number): Promise<Archivable[]> {
      return db.all<Archivable>(archivableQuery(days, now, limit));
    },

    async records(ids: readonly string[]): Promise<TaskRow[]> {
      return db.select().from(tasks).where(isIn(tasks.id, ids));
    },

    async holdings(ids: readonly string[]): Promise<Map<string, Holding>> {
      const { id, status, attempt, expiresAt } = tasks;
      const rows = await db
        .select({ id, status, attempt, expiresAt, keys: fileKeys, held: isHeld })
        .from(tasks)
        .where(isIn(tasks.id, ids));
      return new Map(
        rows.map(({ keys, held, ...row }) => [row.id, { ...row, keys: keysOf(keys), held: held === 1 }]),
      );
    },

    /** The key after which the walk under this prefix continues; empty at the start. */
    async position(prefix: string): Promise<string> {
      const rows = await db.select().from(sweepPositions).where(eq(sweepPositions.prefix, prefix));
      return rows[0]?.afterKey ?? '';
    },

    async setPosition(prefix: string, afterKey: string): Promise<void> {
      await db
        .insert(sweepPositions)
        .values({ prefix, afterKey })
        .onConflictDoUpdate({ target: sweepPositions.prefix, set: { afterKey } });
    },
  };
}
