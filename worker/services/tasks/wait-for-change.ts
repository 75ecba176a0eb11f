import { isLive } from '../../../schema/task/task.ts';
import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import { Problem } from '../../lib/problem.ts';
import type { Principal } from '../../repos/keys.ts';
import type { TaskView } from '../../repos/task-row.ts';

type Waiting = Pick<Principal, 'accountId' | 'keyId' | 'plan'>;

/** Minimum interval between two reads of a task whose progress is followed, or whose record lags behind its account. */
const PACE_MS = 500;

/**
 * Waits until the status of a task changes or the time is up. The account's object sends the notification, so the database is
 * not polled. If the account has as many open waits as its plan allows, it does not wait.
 * @throws Problem task_not_found (deleted during the wait), invalid_api_key (revoked during the wait)
 */
export async function waitForChange(
  context: Context,
  principal: Waiting,
  task: TaskView,
  seconds: number,
): Promise<TaskView> {
  if (seconds === 0 || !isLive(task)) return task;
  try {
    const watch = await context.account(principal.accountId).watch(principal.plan, task.id);
    if (!watch) return task;
    try {
      await watch.next(task.status, seconds * 1000, 'status');
    } finally {
      watch[Symbol.dispose]();
    }
  } catch (error) {
    noteBroken(task, error);
  }
  return readAgain(context, principal, task);
}

/**
 * Waits until a task has ended or the time is up, as {@link waitForChange} does. `onProgress` receives the task at each change.
 * @throws Problem task_not_found, invalid_api_key
 */
export async function waitForEnd(
  context: Context,
  principal: Waiting,
  task: TaskView,
  seconds: number,
  onProgress: ((task: TaskView) => Promise<void>) | null,
): Promise<TaskView> {
  if (seconds === 0 || !isLive(task)) return task;
  const end = Date.now() + seconds * 1000;
  let current = task;
  const watch = await openWatch(context, principal, task);
  if (!watch) return task;
  try {
    for (let left = end - Date.now(); left > 0 && isLive(current); left = end - Date.now()) {
      const pace = () => scheduler.wait(Math.min(left, PACE_MS));
      const { status } = current;
      try {
        await Promise.all([
          watch.next(status, left, onProgress ? 'progress' : 'status'),
          onProgress ? pace() : null,
        ]);
      } catch (error) {
        noteBroken(task, error);
        return await readAgain(context, principal, task);
      }
      current = await readAgain(context, principal, task);
      if (onProgress) await onProgress(current);
      else if (current.status === status) await pace();
    }
  } finally {
    watch[Symbol.dispose]();
  }
  return current;
}

/** A task can be read without waiting for it, so an object that does not answer is as one without room. */
async function openWatch(context: Context, { accountId, plan }: Waiting, task: TaskView) {
  try {
    return await context.account(accountId).watch(plan, task.id);
  } catch (error) {
    noteBroken(task, error);
    return null;
  }
}

/** The object moved to another machine or version. The caller polls again and then waits there. */
function noteBroken(task: TaskView, error: unknown): void {
  log('warn', 'wait_broken', { task_id: task.id, error: errorText(error) });
}

async function readAgain(context: Context, { accountId, keyId }: Waiting, task: TaskView): Promise<TaskView> {
  const [now, active] = await Promise.all([
    context.tasks.read(accountId, task.id),
    context.keys.isActive(keyId, Date.now()),
  ]);
  if (!active) throw new Problem('invalid_api_key');
  if (!now) throw new Problem('task_not_found');
  return now;
}
