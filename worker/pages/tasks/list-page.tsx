import { isLive } from '../../../schema/task/task.ts';
import type { TaskList } from '../../../schema/task/task-list.ts';
import { Problem } from '../../lib/problem.ts';
import { listTasks } from '../../services/tasks/list-tasks.ts';
import { searchTasks } from '../../services/tasks/search-tasks.ts';
import { Notice } from '../elements.tsx';
import type { MemberVisit } from '../visit.ts';
import { FilterForm, filterOf, isFiltered, type ListFilter, queryOf, queryText } from './list-filter.tsx';
import { tasksPath } from './own-task.ts';
import { TaskRow } from './task-row.tsx';

export async function showTasks(visit: MemberVisit): Promise<Response> {
  const { searchParams, pathname, search } = visit.url;
  const filter = filterOf(searchParams);
  const cursor = searchParams.get('cursor');
  const list = await find(visit, filter, cursor);
  const path = tasksPath(visit);
  const rows = list?.data ?? [];
  const body = (
    <>
      <h1>Tasks</h1>
      <details open={isFiltered(filter)}>
        <summary>Filter</summary>
        <FilterForm action={path} filter={filter} />
      </details>
      {list ? null : (
        <Notice kind="error">
          This filter is not valid. <a href={path}>Show all tasks</a>.
        </Notice>
      )}
      <section id="tasks" aria-label="Tasks" data-refresh={rows.some(isLive) ? pathname + search : undefined}>
        {list && rows.length === 0 ? <Empty filter={filter} list={list} path={path} /> : null}
        <ul class="rows">
          {rows.map((task) => (
            <TaskRow task={task} path={path} />
          ))}
        </ul>
      </section>
      <p class="actions">
        {cursor === null ? null : <a href={`${path}?${queryText(filter, null)}`}>Newest</a>}
        {list?.next_cursor ? (
          <a rel="next" href={`${path}?${queryText(filter, list.next_cursor)}`}>
            Older
          </a>
        ) : null}
      </p>
    </>
  );
  return visit.page('Tasks', body, { status: list ? 200 : 422, scripts: ['refresh'] });
}

/** Null if the filter or the cursor is not valid. */
async function find(visit: MemberVisit, filter: ListFilter, cursor: string | null): Promise<TaskList | null> {
  const query = queryOf(filter, cursor);
  if (!query) return null;
  const { key, value } = filter;
  try {
    return key === ''
      ? await listTasks(visit.core, visit.caller, query)
      : await searchTasks(visit.core, visit.caller, query, { key, value });
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation_failed') return null;
    throw error;
  }
}

function Empty({ filter, list, path }: { filter: ListFilter; list: TaskList; path: string }) {
  if (list.has_more) return <p>None of the tasks looked at so far fits. Older ones may.</p>;
  if (isFiltered(filter)) return <p>No task fits this filter.</p>;
  return (
    <p>
      No tasks yet. <a href={path.replace(/tasks$/, 'home')}>Create the first one</a>.
    </p>
  );
}
