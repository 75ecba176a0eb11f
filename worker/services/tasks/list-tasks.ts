import type { TaskList, TaskListQuery } from '../../../schema/task/task-list.ts';
import type { Context } from '../../context.ts';
import { cursorOf, placeOfCursor } from '../../lib/cursor.ts';
import { Problem } from '../../lib/problem.ts';
import type { Caller } from '../../repos/keys.ts';
import type { Place } from '../../repos/task-list.ts';
import { taskView } from './task-view.ts';

/**
 * A page of the caller's tasks, newest first. A cursor names the last task of its page, whose position never changes, so pages
 * neither repeat nor skip a task when others are created.
 * @throws Problem validation_failed (cursor)
 */
export async function listTasks(context: Context, caller: Caller, query: TaskListQuery): Promise<TaskList> {
  const { status, operation, created_after, created_before, limit, cursor } = query;
  const filter = {
    status,
    operation,
    createdAfter: epochMs(created_after),
    createdBefore: epochMs(created_before),
    after: cursor === undefined ? undefined : placeOf(cursor),
  };
  const { accountId, plan } = caller;
  const recent = await context.taskList.page(accountId, plan, filter, limit + 1);
  const rows = await context.archive.page(accountId, filter, limit + 1, recent);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit;
  return {
    object: 'list',
    data: await Promise.all(page.map((row) => taskView(context.config, row))),
    has_more: more,
    next_cursor: more && last ? cursorOf(last) : null,
  };
}

const epochMs = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

function placeOf(cursor: string): Place {
  const place = placeOfCursor(cursor);
  if (place) return place;
  const detail = 'The cursor is not valid. Use `next_cursor` of the previous page.';
  throw new Problem('validation_failed', `/cursor: ${detail}`, {
    errors: [{ pointer: '/cursor', code: 'invalid_cursor', detail }],
  });
}
