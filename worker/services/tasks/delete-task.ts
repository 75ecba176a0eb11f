import type { Context } from '../../context.ts';
import { confirmedGone } from '../../lib/outage.ts';
import { Problem } from '../../lib/problem.ts';
import type { Caller } from '../../repos/keys.ts';
import { findTask } from './find-task.ts';

/**
 * Stops a task if it runs, and deletes its files and its record.
 * @throws Problem task_not_found
 */
export async function deleteTask(context: Context, caller: Caller, id: string): Promise<void> {
  const { accountId } = caller;
  const find = () => findTask(context, accountId, id);
  const remove = () => context.account(accountId).remove(accountId, id);
  if ((await find()) === null || !(await confirmedGone(remove, find))) throw new Problem('task_not_found');
}
