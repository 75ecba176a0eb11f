import { and, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { tasks } from '../../drizzle/tables.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import type { Status } from '../../schema/task.ts';
import { line, prospects } from './line.ts';
import { type TaskView, taskColumns } from './tasks.ts';

/** A place between two tasks of the list. Neither of the two ever changes, so neither does the place. */
export interface Place {
  createdAt: number;
  id: string;
}

export interface TaskFilter {
  status?: Status | undefined;
  operation?: OperationName | undefined;
  /** Epoch ms, exclusive. */
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
  /** Only what comes after this place. */
  after?: Place | undefined;
}

/** The tasks of an account, newest first; of one millisecond, by id. Each filter has an index that gives this order. */
export function taskListQuery(db: DrizzleD1Database, accountId: string, filter: TaskFilter, limit: number) {
  return db
    .select({ ...taskColumns, line })
    .from(tasks)
    .where(and(eq(tasks.accountId, accountId), ...conditions(filter)))
    .orderBy(desc(tasks.createdAt), desc(tasks.id))
    .limit(limit);
}

function conditions({ status, operation, createdAfter, createdBefore, after }: TaskFilter): SQL[] {
  const wanted: SQL[] = [];
  if (status) wanted.push(eq(tasks.status, status));
  if (operation) wanted.push(eq(tasks.operation, operation));
  if (createdAfter !== undefined) wanted.push(gt(tasks.createdAt, createdAfter));
  if (createdBefore !== undefined) wanted.push(lt(tasks.createdAt, createdBefore));
  if (after) wanted.push(sql`(${tasks.createdAt}, ${tasks.id}) < (${after.createdAt}, ${after.id})`);
  return wanted;
}

export function taskListRepo(db: DrizzleD1Database) {
  return {
    async page(accountId: string, filter: TaskFilter, limit: number): Promise<TaskView[]> {
      const rows = await taskListQuery(db, accountId, filter, limit);
      return rows.map(({ line: before, ...row }) => ({ ...row, ...prospects(row, before) }));
    },
  };
}
