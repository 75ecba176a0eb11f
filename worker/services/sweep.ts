import { RECORD_SECONDS } from '../../schema/plans.ts';
import type { Context } from '../context.ts';
import { errorText, log } from '../lib/log.ts';
import { isStray, ownerOf } from '../lib/stray-object.ts';

const STUCK_AFTER_MS = 24 * 3600_000;
const PREFIX = 't/';
/** Bounds of one sweep; what is left is for the next one. */
const TASKS = 200;
const PAGES = 10;

type Step = (context: Context, now: number) => Promise<void>;

/** Each may be interrupted anywhere and is repeated by the next sweep: objects go first, what tells of them goes last. */
const steps: Record<string, Step> = {
  nudgeOrphans,
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

/** Finds live tasks that nobody looks after, and says so to their account. */
async function nudgeOrphans(context: Context, now: number): Promise<void> {
  const orphans = await context.retention.orphans(now, now - STUCK_AFTER_MS, TASKS);
  for (const { id, accountId } of orphans) {
    log('warn', 'orphan_found', { task_id: id });
    await context.account(accountId).nudge(accountId, id);
  }
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
