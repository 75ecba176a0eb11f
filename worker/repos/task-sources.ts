import { and, eq, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { taskSources, tasks } from '../../drizzle/tables.ts';
import { isIn } from './is-in.ts';
import type { TaskRow } from './task-row.ts';

/** The columns that decide whether the output of a task can be read, and where it is. */
export type StoredTask = Pick<TaskRow, 'id' | 'status' | 'result' | 'error' | 'expiresAt' | 'filesRemovedAt'>;

/** The statement that records, in one batch with a new task, which tasks' outputs it reads. Tasks deleted by then are skipped. */
export function noteSources(db: DrizzleD1Database, taskId: string, sourceIds: readonly string[]) {
  return db.insert(taskSources).select(
    db
      .select({ sourceId: tasks.id, taskId: sql<string>`${taskId}`.as('task_id') })
      .from(tasks)
      .where(isIn(tasks.id, sourceIds)),
  );
}

/** Whether a live task reads the output of this one. */
export const isHeld = sql<number>`exists (
  select 1 from task_sources as held join tasks as reader on reader.id = held.task_id
  where held.source_id = tasks.id and reader.status in ('queued', 'processing')
)`;

export function taskSourcesRepo(db: DrizzleD1Database) {
  return {
    /** Those of these tasks that belong to the account. */
    async read(accountId: string, ids: readonly string[]): Promise<Map<string, StoredTask>> {
      const { id, status, result, error, expiresAt, filesRemovedAt } = tasks;
      const rows = await db
        .select({ id, status, result, error, expiresAt, filesRemovedAt })
        .from(tasks)
        .where(and(eq(tasks.accountId, accountId), isIn(tasks.id, ids)));
      return new Map(rows.map((row) => [row.id, row]));
    },
  };
}
