import { and, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, not, or } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { sweepPositions, tasks } from '../../drizzle/tables.ts';
import { isHeld, taskIn } from './task-sources.ts';
import type { TaskRow } from './tasks.ts';

/** What a record says of the objects of its task. */
export interface Holding extends Pick<TaskRow, 'id' | 'status' | 'attempt' | 'result' | 'expiresAt'> {
  /** Whether a live task reads the result. */
  held: boolean;
}

const liveTaskOf = { id: tasks.id, accountId: tasks.accountId };

export type LiveTaskOf = Pick<TaskRow, keyof typeof liveTaskOf>;

/** What the sweeper asks and writes; all of it may be repeated. */
export function retentionRepo(db: DrizzleD1Database) {
  return {
    /** Tasks that run by their record, whose lease is over. */
    async overdue(now: number, limit: number): Promise<LiveTaskOf[]> {
      return db
        .select(liveTaskOf)
        .from(tasks)
        .where(and(eq(tasks.status, 'processing'), lt(tasks.leaseExpiresAt, now)))
        .limit(limit);
    },

    /** Tasks that have waited since before `before`, by their ids after this one. */
    async waiting(before: number, after: string, limit: number): Promise<LiveTaskOf[]> {
      // No queued task has a lease; naming it makes the index give the ids in order.
      const queued = and(eq(tasks.status, 'queued'), isNull(tasks.leaseExpiresAt));
      const waits = and(queued, lt(tasks.createdAt, before), ne(tasks.stage, 'done'));
      return db
        .select(liveTaskOf)
        .from(tasks)
        .where(and(waits, gt(tasks.id, after)))
        .orderBy(tasks.id)
        .limit(limit);
    },

    /** Tasks whose files have expired and are not yet known to be deleted, without those that live tasks read. */
    async expired(now: number, limit: number): Promise<Pick<TaskRow, 'id' | 'result'>[]> {
      return db
        .select({ id: tasks.id, result: tasks.result })
        .from(tasks)
        .where(and(isNull(tasks.filesRemovedAt), lte(tasks.expiresAt, now), not(isHeld)))
        .limit(limit);
    },

    async filesRemoved(ids: readonly string[], now: number): Promise<void> {
      await db.update(tasks).set({ filesRemovedAt: now }).where(taskIn(ids));
    },

    /** Deletes records of tasks that ended before `before` and have no files. @returns how many. */
    async removeEnded(before: number, limit: number): Promise<number> {
      const old = db
        .select({ id: tasks.id })
        .from(tasks)
        .where(
          and(lte(tasks.completedAt, before), or(isNull(tasks.expiresAt), isNotNull(tasks.filesRemovedAt))),
        )
        .limit(limit);
      const removed = await db.delete(tasks).where(inArray(tasks.id, old)).returning({ id: tasks.id });
      return removed.length;
    },

    async holdings(ids: readonly string[]): Promise<Map<string, Holding>> {
      const { id, status, attempt, result, expiresAt } = tasks;
      const rows = await db
        .select({ id, status, attempt, result, expiresAt, held: isHeld })
        .from(tasks)
        .where(taskIn(ids));
      return new Map(rows.map((row) => [row.id, { ...row, held: row.held === 1 }]));
    },

    /** The key after which the walk under this prefix goes on; empty at its beginning. */
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
