import { taskId } from '../../../schema/task/task.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { findTask } from '../../services/tasks/find-task.ts';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';

export const tasksPath = ({ membership }: Pick<MemberVisit, 'membership'>) =>
  `/app/${membership.account.id}/tasks`;

/** A task of the account; unless another is named, the one in the path. @throws PageError if the account has no such task */
export async function ownTask(visit: MemberVisit, id = visit.param('task')): Promise<TaskView> {
  const found = taskId.safeParse(id).success && (await findTask(visit.core, visit.caller.accountId, id));
  if (!found) throw notFound();
  return found;
}

export const notFound = () =>
  new PageError(404, 'Not found', 'The account has no such task. It may have been deleted.');
