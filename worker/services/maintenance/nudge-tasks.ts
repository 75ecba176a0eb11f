import { LEASE_SECONDS } from '../../../schema/task/wire.ts';
import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import type { LiveTaskOf } from '../../repos/retention.ts';

/** A task may be queued this long without a fault. */
const LONG_WAIT_MS = 15 * 60_000;
/** A lease that ends later than this was written before the clock was set back. */
const LONGEST_LEASE_MS = 2 * LEASE_SECONDS * 1000;
/** Name of the stored position in the walk through the waiting tasks. */
const WAITING = 'waiting';
/** Tasks per sweep, because each may wake an account. */
const TASKS = 200;

/** Notifies the accounts of tasks whose lease has expired. */
export async function nudgeOverdue(context: Context, now: number): Promise<boolean> {
  const overdue = await context.retention.overdue(now, LONGEST_LEASE_MS, TASKS);
  if (overdue.length > 0) log('warn', 'leases_overdue', { task_ids: overdue.map(({ id }) => id).join(' ') });
  await nudge(context, overdue);
  return false;
}

/** Asks the accounts of tasks that have waited for long, a batch per sweep, so that every task is reached in turn. */
export async function nudgeWaiting(context: Context, now: number): Promise<boolean> {
  const after = await context.retention.position(WAITING);
  const waiting = await context.retention.waiting(now, LONG_WAIT_MS, after, TASKS);
  await nudge(context, waiting);
  const more = waiting.length === TASKS;
  await context.retention.setPosition(WAITING, more ? (waiting.at(-1)?.id ?? '') : '');
  return false;
}

async function nudge(context: Context, tasks: readonly LiveTaskOf[]): Promise<void> {
  const orphans: string[] = [];
  for (const { id, accountId } of tasks) {
    try {
      if (!(await context.account(accountId).nudge(accountId, id))) orphans.push(id);
    } catch (error) {
      // A failure of one account must not affect the others.
      log('error', 'nudge_failed', { task_id: id, error: errorText(error) });
    }
  }
  if (orphans.length > 0) log('warn', 'orphans_failed', { task_ids: orphans.join(' ') });
}
