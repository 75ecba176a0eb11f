import { isLive } from '../../../schema/task/task.ts';
import type { Context } from '../../context.ts';
import type { TaskView } from '../../repos/task-row.ts';

/**
 * Finds a task of an account in the database or the archive. The database is read first, because records only move from there
 * to the archive.
 */
export async function findTask(context: Context, accountId: string, id: string): Promise<TaskView | null> {
  return (await context.tasks.read(accountId, id)) ?? findArchived(context, accountId, id);
}

/** A task that is no longer in the database. It has ended, so it has no position in the line. */
export async function findArchived(
  { archive }: Context,
  accountId: string,
  id: string,
): Promise<TaskView | null> {
  const task = await archive.find(accountId, id);
  return task && { ...task, queuePosition: null };
}

/** A task that has not ended as far as a replica knows, which may be behind what the caller heard of its end. */
export async function upToDate({ tasks }: Context, task: TaskView): Promise<TaskView> {
  if (!isLive(task)) return task;
  return (await tasks.read(task.accountId, task.id)) ?? task;
}
