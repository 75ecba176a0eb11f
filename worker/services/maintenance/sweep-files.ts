import type { Context } from '../../context.ts';
import { log } from '../../lib/log.ts';
import { isStray, ownerOf } from '../../lib/stray-object.ts';

const PREFIX = 't/';
/** Tasks or objects per round; R2 deletes up to a thousand objects at once. */
const ROUND = 1000;

/**
 * Deletes the files of expired results. Other objects of such a task are deleted as strays. @returns whether there may be more
 */
export async function removeExpiredFiles(context: Context, now: number): Promise<boolean> {
  const expired = await context.retention.expired(now, ROUND);
  if (expired.length === 0) return false;
  const keys = expired.flatMap((task) => task.keys);
  for (let at = 0; at < keys.length; at += ROUND) await context.files.remove(keys.slice(at, at + ROUND));
  await context.retention.filesRemoved(
    expired.map(({ id }) => id),
    now,
  );
  log('info', 'files_expired', { tasks: expired.length, files: keys.length });
  return expired.length === ROUND;
}

/** Checks the next objects and deletes strays. @returns whether there are more before the walk starts over */
export async function removeStrays(context: Context, now: number): Promise<boolean> {
  const after = await context.retention.position(PREFIX);
  const { keys, more } = await context.files.keysAfter(PREFIX, after, ROUND);
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
  await context.retention.setPosition(PREFIX, more ? (keys.at(-1) ?? '') : '');
  return more;
}
