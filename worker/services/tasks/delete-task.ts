import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import type { Principal } from '../../repos/keys.ts';
import { findTask } from './find-task.ts';

/**
 * Stops a task if it runs, and deletes its files and its record.
 * @throws Problem task_not_found
 */
export async function deleteTask(context: Context, principal: Principal, id: string): Promise<void> {
  const known = await findTask(context, principal.accountId, id);
  if (!known || !(await context.account(principal.accountId).remove(principal.accountId, id))) {
    throw new Problem('task_not_found');
  }
}
