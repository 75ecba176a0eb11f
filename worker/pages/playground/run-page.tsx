import type { Task } from '../../../schema/task/task.ts';
import { findTask } from '../../services/tasks/find-task.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';
import { RunView } from './run-view.tsx';

/** A task of the account. @throws PageError */
export async function taskOfVisit({ core, caller }: MemberVisit, id: string): Promise<Task> {
  const row = await findTask(core, caller.accountId, id);
  if (!row) throw new PageError(404, 'Not found', 'The account has no such task. It may have been deleted.');
  return taskView(core.config, row);
}

/** What the form shows of a task, alone. */
export async function showRun(visit: MemberVisit): Promise<Response> {
  const task = await taskOfVisit(visit, visit.param('task'));
  return visit.page('Run', <RunView visit={visit} task={task} />);
}
