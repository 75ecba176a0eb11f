import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { tasks } from '../../drizzle/tables.ts';
import type { PlanName } from '../../schema/api/plans.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import type { Status } from '../../schema/task/task.ts';
import { linesOf, liveRowsQuery, prospects } from './line.ts';
import { type TaskRow, type TaskView, taskColumns } from './task-row.ts';

/** A position between two tasks of the list. Neither task's place ever changes, so the position is stable. */
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
  /** Only tasks after this position. */
  after?: Place | undefined;
  /** Only tasks with this entry in their `metadata`; an empty value stands for any. */
  metadata?: { key: string; value: string } | undefined;
}

/** Tasks that one page of a search by metadata looks at: there is no index for it. */
export const SEARCHED = 1000;

/**
 * The tasks of an account, newest first; tasks of the same millisecond by id. Every set of filters has an index in this order.
 * The statement names the index, which drizzle's builder cannot do.
 */
export function taskListQuery(accountId: string, filter: TaskFilter, limit: number): SQL {
  return sql`select ${sql.join(Object.values(taskColumns), sql`, `)} ${inOrder(accountId, filter)} limit ${limit}`;
}

/** The last task that a page of a search looks at; none if it looks at all of them. */
function searchEndQuery(accountId: string, { metadata: _, ...filter }: TaskFilter): SQL {
  return sql`select ${tasks.createdAt} as createdAt, ${tasks.id} as id ${inOrder(accountId, filter)}
    limit 1 offset ${SEARCHED - 1}`;
}

function inOrder(accountId: string, filter: TaskFilter): SQL {
  return sql`from ${tasks} indexed by ${sql.identifier(indexOf(filter))}
    where ${and(eq(tasks.accountId, accountId), ...wanted(filter))}
    order by ${tasks.createdAt} desc, ${tasks.id} desc`;
}

function rowOf(values: readonly unknown[]): TaskRow {
  const fields = Object.entries(taskColumns).map(([name, column], index) => {
    const value = values[index] ?? null;
    return [name, value === null ? null : column.mapFromDriverValue(value as never)];
  });
  return Object.fromEntries(fields) as TaskRow;
}

/** Without statistics, SQLite uses the narrower of two matching indexes and steps over every row with another status. */
function indexOf({ status, operation }: TaskFilter): string {
  if (status && operation) return 'tasks_account_operation_status';
  if (operation) return 'tasks_account_operation';
  return status ? 'tasks_account_status' : 'tasks_account_created';
}

function wanted({ status, operation, createdAfter, createdBefore, after, metadata }: TaskFilter): SQL[] {
  const conditions: SQL[] = [];
  if (status) conditions.push(eq(tasks.status, status));
  if (operation) conditions.push(eq(tasks.operation, operation));
  if (createdAfter !== undefined) conditions.push(gt(tasks.createdAt, createdAfter));
  // Use only the nearer of the two bounds: SQLite starts its index walk at one of them and would step over the rows between.
  if (after && (createdBefore === undefined || after.createdAt < createdBefore))
    conditions.push(sql`(${tasks.createdAt}, ${tasks.id}) < (${after.createdAt}, ${after.id})`);
  else if (createdBefore !== undefined) conditions.push(lt(tasks.createdAt, createdBefore));
  if (metadata) {
    const { key, value } = metadata;
    conditions.push(sql`exists (select 1 from json_each(${tasks.metadata}) as pair
      where pair.key = ${key} and (pair.value = ${value} or ${value} = ''))`);
  }
  return conditions;
}

export function taskListRepo(db: DrizzleD1Database) {
  /** Tasks with their places in the line, which is read only if one of them is waiting. */
  async function views(accountId: string, plan: PlanName, rows: readonly TaskRow[]): Promise<TaskView[]> {
    const waits = rows.some(({ status }) => status === 'queued');
    const live = waits ? await liveRowsQuery(db, accountId) : [];
    const lines = linesOf(live, plan);
    return rows.map((row) => {
      const before = row.status === 'queued' ? lines.get(row.seq) : undefined;
      return { ...row, ...prospects(row, before ?? null) };
    });
  }

  return {
    async page(accountId: string, plan: PlanName, filter: TaskFilter, limit: number): Promise<TaskView[]> {
      const rows = await db.values(taskListQuery(accountId, filter, limit));
      return views(accountId, plan, rows.map(rowOf));
    },

    /** How far a page of a search looks; null if it looks at all tasks. */
    async searchEnd(accountId: string, filter: TaskFilter): Promise<Place | null> {
      const [end] = await db.all<Place>(searchEndQuery(accountId, filter));
      return end ?? null;
    },
  };
}
