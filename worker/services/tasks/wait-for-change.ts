import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import { Problem } from '../../lib/problem.ts';
import type { Principal } from '../../repos/keys.ts';
import type { TaskView } from '../../repos/task-row.ts';

/**
 * Waits until the status of a task changes or the time is up. The account's object sends the notification, so the database is
 * not polled. If the account has as many open waits as its plan allows, it does not wait.
 * @throws Problem task_not_found (deleted during the wait), invalid_api_key (revoked during the wait)
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
    // The object moved to another machine or version. The caller polls again and then waits there.
    log('warn', 'wait_broken', { task_id: task.id, error: errorText(error) });
  }
  const [now, active] = await Promise.all([
    context.tasks.read(accountId, task.id),
    context.keys.isActive(keyId, Date.now()),
  ]);
  if (!active) throw new Problem('invalid_api_key');
  if (!now) throw new Problem('task_not_found');
  return now;
}
