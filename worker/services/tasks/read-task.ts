import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import type { Principal } from '../../repos/keys.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { noteUse, presentedKeyHash } from '../account/authenticate.ts';
import { countRequest, refusal } from '../account/request-limit.ts';
import { findArchived } from './find-task.ts';

/**
 * Authenticates and reads a task in one query on the nearest replica. If the replica does not have it, the primary is asked, so
 * that a new task is never a 404. If neither has it, the archive is searched.
 * @throws Problem missing_api_key, invalid_api_key, rate_limited, task_not_found
 */
export async function readTask(
  context: Context,
  header: (name: string) => string | undefined,
  id: string,
  onPrincipal: (principal: Principal) => void,
): Promise<TaskView> {
  const hash = await presentedKeyHash(context, header);
  let found = await context.poll.nearby(hash, id);
  if (!found?.task) found = await context.poll.primary(hash, id);
  if (!found) throw await refusal(context, header, new Problem('invalid_api_key'));
  context.limiter.noteValidKey(hash);
  const { principal } = found;
  onPrincipal(principal);
  await noteUse(context, principal);
  await countRequest(context, principal, 'polls');
  const task = found.task ?? (await findArchived(context, principal.accountId, id));
  if (!task) throw new Problem('task_not_found');
  return task;
}
