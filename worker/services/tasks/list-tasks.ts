import type { TaskList, TaskListQuery } from '../../../schema/task/task-list.ts';
import type { Context } from '../../context.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { cursorOf, placeOfCursor } from '../../lib/text/cursor.ts';
import type { Caller } from '../../repos/keys.ts';
import type { Place, TaskFilter } from '../../repos/task-list.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { taskView } from './task-view.ts';

/**
 * A page of the caller's tasks, newest first. A cursor names the last task of its page, whose position never changes, so pages
 * neither repeat nor skip a task when others are created.
 * @throws Problem validation_failed (cursor)
 */
export async function listTasks(context: Context, caller: Caller, query: TaskListQuery): Promise<TaskList> {
  const { accountId, plan } = caller;
  const { limit } = query;
  const filter = filterOf(query);
  const recent = await context.taskList.page(accountId, plan, filter, limit + 1);
  const rows = await context.archive.page(accountId, filter, limit + 1, recent);
  return pageOf(context, rows, limit, null);
}

/** The filters of a request. @throws Problem validation_failed (cursor, or times in the wrong order) */
export function filterOf({
  status,
  operation,
  created_after,
  created_before,
  cursor,
}: TaskListQuery): TaskFilter {
  const createdAfter = epochMs(created_after);
  const createdBefore = epochMs(created_before);
  if (createdAfter !== undefined && createdBefore !== undefined && createdAfter >= createdBefore) {
    const detail = 'The time must be earlier than `created_before`.';
    throw fieldProblem('validation_failed', [{ pointer: '/created_after', code: 'out_of_range', detail }]);
  }
  return {
    status,
    operation,
    createdAfter,
    createdBefore,
    after: cursor === undefined ? undefined : placeOf(cursor),
  };
}

/** @param rest where the next page begins if these rows do not fill the page; null if they are the last */
export async function pageOf(
  { config }: Context,
  rows: readonly TaskView[],
  limit: number,
  rest: Place | null,
): Promise<TaskList> {
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? (page.at(-1) ?? null) : rest;
  return {
    object: 'list',
    data: await Promise.all(page.map((row) => taskView(config, row))),
    has_more: next !== null,
    next_cursor: next && cursorOf(next),
  };
}

const epochMs = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

function placeOf(cursor: string): Place {
  const place = placeOfCursor(cursor);
  if (place) return place;
  const detail = 'The cursor is not valid. Use `next_cursor` of the previous page.';
  throw fieldProblem('validation_failed', [{ pointer: '/cursor', code: 'invalid_cursor', detail }]);
}
