import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';
import type { Principal } from '../repos/keys.ts';
import type { TaskView } from '../repos/tasks.ts';
import { noteUse } from './authenticate.ts';
import { countPoll } from './poll-limit.ts';
import { findArchived } from './tasks/find-task.ts';

/**
 * Authenticates and reads a task in one query, from the replica nearest to the caller; where that has not heard of the
 * task, from the primary, so that a fresh task is never a 404. A task that neither has may be in the archive.
 * @throws Problem invalid_api_key, rate_limited (polls), task_not_found
 */
export async function readTask(
  context: Context,
  keyHash: string,
  id: string,
  onPrincipal: (principal: Principal) => void,
): Promise<TaskView> {
  let found = await context.poll.nearby(keyHash, id);
  if (!found?.task) found = await context.poll.primary(keyHash, id);
  if (!found) throw new Problem('invalid_api_key');
  const { principal } = found;
  onPrincipal(principal);
  await noteUse(context, principal);
  await countPoll(context, principal);
  const task = found.task ?? (await findArchived(context, principal.accountId, id));
  if (!task) throw new Problem('task_not_found');
  return task;
}
