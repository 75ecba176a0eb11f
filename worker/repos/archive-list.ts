import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { archiveChunks } from '../../drizzle/tables.ts';
import { DAY_MS, midnight } from '../../schema/time.ts';
import type { TaskFilter } from './task-list.ts';
import type { TaskRow } from './task-row.ts';

/** All tasks of a chunk were created on the same UTC day. */
/** Chunks that one page opens concurrently. */
const AT_ONCE = 16;

/** The columns of a chunk that a page needs. */
export type Listed = Pick<typeof archiveChunks.$inferSelect, 'key' | 'newestAt' | 'taskCount'>;

/**
 * Kept chunks that may contain tasks of a page after `after`, newest first. Chunks whose tasks all come after `last` are left
 * out.
 */
export function chunkListQuery(
  accountId: string,
  { status, operation, createdAfter, createdBefore, after: place }: TaskFilter,
  last: number | null,
  after?: Pick<Listed, 'newestAt' | 'key'>,
): SQL {
  const { newestAt, oldestAt } = archiveChunks;
  const wanted: (SQL | undefined)[] = [
    eq(archiveChunks.accountId, accountId),
    eq(archiveChunks.state, 'kept'),
  ];
  const until = Math.min(
    place?.createdAt ?? Number.MAX_SAFE_INTEGER,
    createdBefore ?? Number.MAX_SAFE_INTEGER,
  );
  if (until < Number.MAX_SAFE_INTEGER && !after) wanted.push(lte(newestAt, until + DAY_MS));
  if (until < Number.MAX_SAFE_INTEGER) wanted.push(lte(oldestAt, until));
  const since = Math.max(createdAfter ?? 0, last === null ? 0 : last - 1);
  if (since > 0) wanted.push(gt(newestAt, since));
  if (after) wanted.push(sql`(${newestAt}, ${archiveChunks.key}) < (${after.newestAt}, ${after.key})`);
  if (status || operation) {
    wanted.push(sql`exists (select 1 from json_each(${archiveChunks.contents})
      where ${operation ? sql`value ->> 0 = ${operation}` : sql`true`} and ${status ? sql`value ->> 1 = ${status}` : sql`true`})`);
  }
  return sql`select key, newest_at as newestAt, task_count as taskCount from ${archiveChunks}
    where ${and(...wanted)} order by newest_at desc, key desc limit ${AT_ONCE}`;
}

export function fits(
  task: TaskRow,
  { status, operation, createdAfter, createdBefore, after, metadata }: TaskFilter,
): boolean {
  return (
    (!status || task.status === status) &&
    (!operation || task.operation === operation) &&
    (createdAfter === undefined || task.createdAt > createdAfter) &&
    (createdBefore === undefined || task.createdAt < createdBefore) &&
    (!after || newestFirst(after, task) < 0) &&
    (!metadata || has(task.metadata, metadata))
  );
}

function has(values: Record<string, string>, { key, value }: NonNullable<TaskFilter['metadata']>): boolean {
  return Object.hasOwn(values, key) && (value === '' || values[key] === value);
}

/**
 * The earliest creation time that a search looks at, given the first chunks of its list: the days whose chunks are all among
 * them, but at least one day. Null if it looks at everything.
 */
export function searchFloor(listed: readonly Listed[]): number | null {
  const [first, last] = [listed[0], listed.at(-1)];
  if (!first || !last || listed.length < AT_ONCE) return null;
  const [newest, oldest] = [midnight(first.newestAt), midnight(last.newestAt)];
  return oldest < newest ? oldest + DAY_MS : oldest;
}

type Placed = Pick<TaskRow, 'createdAt' | 'id'>;

/** The order of the list. */
export function newestFirst(a: Placed, b: Placed): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** Merges both in list order, each task once. */
export function merged<T extends Placed>(rows: readonly T[], more: readonly T[]): T[] {
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...more.filter(({ id }) => !known.has(id))].sort(newestFirst);
}
