import type { Context } from '../../context.ts';
import type { TaskView } from '../../repos/task-row.ts';

/** A task of an account, wherever its record is. The database comes first: a record only ever moves from there to the archive. */
export async function findTask(context: Context, accountId: string, id: string): Promise<TaskView | null> {
  return (await context.tasks.read(accountId, id)) ?? findArchived(context, accountId, id);
}

/** A task that the database no longer has. It has ended, so it waits in no line. */
export async function findArchived(
  { archive }: Context,
  accountId: string,
  id: string,
): Promise<TaskView | null> {
  const task = await archive.find(accountId, id);
  return task && { ...task, queuePosition: null };
}
