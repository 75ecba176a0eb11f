import type { TaskList, TaskListQuery } from '../../../schema/task/task-list.ts';
import type { Context } from '../../context.ts';
import { newestFirst } from '../../repos/archive-list.ts';
import type { Caller } from '../../repos/keys.ts';
import type { Place } from '../../repos/task-list.ts';
import { filterOf, pageOf } from './list-tasks.ts';

/** Comes after every task of its millisecond in the list. */
const LAST_ID = `task_${'z'.repeat(26)}`;

/**
 * A page of the caller's tasks with a value in their metadata, newest first. No index has metadata, so each page looks at a
 * bounded number of tasks. It can be shorter than its limit, or empty, although there are more.
 * @throws Problem validation_failed (cursor)
 */
export async function searchTasks(
  context: Context,
  { accountId, plan }: Caller,
  query: TaskListQuery,
  metadata: { key: string; value: string },
): Promise<TaskList> {
  const { limit } = query;
  const filter = { ...filterOf(query), metadata };
  const [end, floor] = await Promise.all([
    context.taskList.searchEnd(accountId, filter),
    context.archive.searchFloor(accountId, filter),
  ]);
  const reached = newer(end, floor === null ? null : { createdAt: floor - 1, id: LAST_ID });
  const since = Math.max(filter.createdAfter ?? 0, reached ? reached.createdAt - 1 : 0);
  const bounded = { ...filter, createdAfter: since };
  const recent = await context.taskList.page(accountId, plan, bounded, limit + 1);
  const found = await context.archive.page(accountId, bounded, limit + 1, recent);
  const within = found.filter((row) => reached === null || newestFirst(row, reached) <= 0);
  return pageOf(context, within, limit, reached);
}

function newer(a: Place | null, b: Place | null): Place | null {
  if (!a || !b) return a ?? b;
  return newestFirst(a, b) <= 0 ? a : b;
}
