import { RECORD_SECONDS } from '../../schema/plans.ts';
import type { Context } from '../context.ts';
import { errorText, log } from '../lib/log.ts';
import { isStray, ownerOf } from '../lib/stray-object.ts';
import type { LiveTaskOf } from '../repos/retention.ts';

/** Most tasks that have waited for so long wait rightly. */
const LONG_WAIT_MS = 15 * 60_000;
const PREFIX = 't/';
/** Where the walk through the waiting tasks is noted. */
const WAITING = 'waiting';
/** Bounds of one sweep; what is left is for the next one. */
const TASKS = 200;
const PAGES = 10;

type Step = (context: Context, now: number) => Promise<void>;

/** Each may be interrupted anywhere and is repeated by the next sweep: objects go first, what tells of them goes last. */
const steps: Record<string, Step> = {
  nudgeOverdue,
  nudgeWaiting,
  removeExpiredFiles,
  removeOldRecords,
  removeStrays,
};

/** What the cron does: the second line behind each account's alarm, and the end of what is kept no longer. */
export async function sweep(context: Context, now: number): Promise<void> {
  for (const [step, work] of Object.entries(steps)) {
    try {
      await work(context, now);
    } catch (error) {
      log('error', 'sweep_failed', { step, error: errorText(error) });
    }
  }
}

/** Tells the accounts of tasks whose lease is over that it is. */
async function nudgeOverdue(context: Context, now: number): Promise<void> {
  const overdue = await context.retention.overdue(now, TASKS);
  if (overdue.length > 0) log('warn', 'leases_overdue', { task_ids: overdue.map(({ id }) => id).join(' ') });
  await nudge(context, overdue);
}

/** Asks the accounts of tasks that wait for long, a part of them each sweep, so that none is hidden behind others. */
async function nudgeWaiting(context: Context, now: number): Promise<void> {
  const after = await context.retention.position(WAITING);
  const waiting = await context.retention.waiting(now - LONG_WAIT_MS, after, TASKS);
  await nudge(context, waiting);
  const more = waiting.length === TASKS;
  await context.retention.setPosition(WAITING, more ? (waiting.at(-1)?.id ?? '') : '');
}

async function nudge(context: Context, tasks: readonly LiveTaskOf[]): Promise<void> {
  const orphans: string[] = [];
  for (const { id, accountId } of tasks) {
    try {
      if (!(await context.account(accountId).nudge(accountId, id))) orphans.push(id);
    } catch (error) {
      // Trouble of one account is no trouble of the others.
      log('error', 'nudge_failed', { task_id: id, error: errorText(error) });
    }
  }
  if (orphans.length > 0) log('warn', 'orphans_failed', { task_ids: orphans.join(' ') });
}

/** Deletes the files of results whose time is over. What else such a task has left is a stray. */
async function removeExpiredFiles(context: Context, now: number): Promise<void> {
  for (let page = 0; page < PAGES; page++) {
    const expired = await context.retention.expired(now, TASKS);
    if (expired.length === 0) return;
    const keys = expired.flatMap(({ result }) => result?.files.map((file) => file.key) ?? []);
    for (let at = 0; at < keys.length; at += 1000) await context.files.remove(keys.slice(at, at + 1000));
    await context.retention.filesRemoved(
      expired.map(({ id }) => id),
      now,
    );
    log('info', 'files_expired', { tasks: expired.length, files: keys.length });
  }
}

async function removeOldRecords(context: Context, now: number): Promise<void> {
  for (let page = 0; page < PAGES; page++) {
    const removed = await context.retention.removeEnded(now - RECORD_SECONDS * 1000, TASKS);
    if (removed > 0) log('info', 'records_removed', { tasks: removed });
    if (removed < TASKS) return;
  }
}

/** Walks through all objects, a few pages a sweep, and deletes those that nobody will ask for. */
async function removeStrays(context: Context, now: number): Promise<void> {
  let after = await context.retention.position(PREFIX);
  for (let page = 0; page < PAGES; page++) {
    const { keys, more } = await context.files.keysAfter(PREFIX, after, 1000);
    const owned = keys.flatMap((key) => {
      const owner = ownerOf(key);
      return owner ? [{ key, ...owner }] : [];
    });
    const holdings = await context.retention.holdings([...new Set(owned.map(({ taskId }) => taskId))]);
    const strays = owned
      .filter(({ key, taskId, attempt }) => isStray(key, attempt, holdings.get(taskId), now))
      .map(({ key }) => key);
    await context.files.remove(strays);
    if (strays.length > 0) log('info', 'strays_removed', { objects: strays.length });
    after = more ? (keys.at(-1) ?? '') : '';
    await context.retention.setPosition(PREFIX, after);
    if (!more) return;
  }
}
