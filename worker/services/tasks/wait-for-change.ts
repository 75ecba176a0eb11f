import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import { Problem } from '../../lib/problem.ts';
import type { Principal } from '../../repos/keys.ts';
import type { TaskView } from '../../repos/task-row.ts';

/**
 * Holds until the status of a task is another one, at most so many seconds. The account's object wakes it, so nothing is
 * asked of the database meanwhile. Where the account has as many waits open as its plan allows, it does not hold.
 * @throws Problem task_not_found (deleted meanwhile), invalid_api_key (revoked meanwhile)
 */
export async function waitForChange(
  context: Context,
  { accountId, keyId, plan }: Pick<Principal, 'accountId' | 'keyId' | 'plan'>,
  task: TaskView,
  seconds: number,
): Promise<TaskView> {
  if (seconds === 0 || task.status === 'completed' || task.status === 'failed') return task;
  try {
    const watch = await context.account(accountId).watch(plan, task.id);
    if (!watch) return task;
    try {
      await watch.next(task.status, seconds * 1000, 'status');
    } finally {
      watch[Symbol.dispose]();
    }
  } catch (error) {
    // The object moved to another machine or version: whoever asks again waits there.
    log('warn', 'wait_broken', { task_id: task.id, error: errorText(error) });
  }
  const [now, active] = await Promise.all([
    context.tasks.read(accountId, task.id),
    context.keys.isActive(keyId),
  ]);
  if (!active) throw new Problem('invalid_api_key');
  if (!now) throw new Problem('task_not_found');
  return now;
}
