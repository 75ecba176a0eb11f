import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import type { Caller } from '../../repos/keys.ts';
import { findTask } from './find-task.ts';

/**
 * Stops a task if it runs, and deletes its files and its record.
 * @throws Problem task_not_found
 */
export async function deleteTask(context: Context, caller: Caller, id: string): Promise<void> {
  const known = await findTask(context, caller.accountId, id);
  if (!known || !(await context.account(caller.accountId).remove(caller.accountId, id))) {
    throw new Problem('task_not_found');
  }
}
