import { shownOperation } from '../../../schema/operations/shown.ts';
import { isLive } from '../../../schema/task/task.ts';
import { Problem } from '../../lib/problem.ts';
import { deleteTask } from '../../services/tasks/delete-task.ts';
import { Form, Time } from '../elements.tsx';
import type { MemberVisit } from '../visit.ts';
import { notFound, ownTask, tasksPath } from './own-task.ts';

export async function askToDelete(visit: MemberVisit): Promise<Response> {
  const task = await ownTask(visit);
  const { id, operation, createdAt } = task;
  const path = `${tasksPath(visit)}/${id}`;
  const body = (
    <>
      <h1>Delete this task?</h1>
      <p class="lead">
        {shownOperation(operation).title}, created <Time ms={createdAt} />.
      </p>
      <p>
        {isLive(task) ? 'It is stopped. ' : ''}Its files and its record are deleted, and download links stop
        working. This cannot be undone.
      </p>
      <Form visit={visit} action={`${path}/delete`}>
        <button class="danger" type="submit">
          Delete the task
        </button>
      </Form>
      <p>
        <a href={path}>Keep it</a>
      </p>
    </>
  );
  return visit.page('Delete a task', body);
}

export async function removeTask(visit: MemberVisit): Promise<Response> {
  try {
    await deleteTask(visit.core, visit.caller, visit.param('task'));
  } catch (error) {
    if (error instanceof Problem && error.code === 'task_not_found') throw notFound();
    throw error;
  }
  return visit.redirect(tasksPath(visit));
}
