import type { Context } from '../../context.ts';
import type { PeopleContext } from '../../people-context.ts';
import { plainTableNames } from '../../repos/people/deletions.ts';

/** What the steps of a deletion work with. */
export interface Deleting extends Pick<PeopleContext, 'billing' | 'customers' | 'deletions'> {
  core: Pick<Context, 'account' | 'files' | 'archive' | 'uploads' | 'uploadFiles'>;
}

/** Deletes a bounded part. Safe to interrupt and repeat. @returns whether there may be more */
export type DeletionStep = (context: Deleting, accountId: string) => Promise<boolean>;

/** Limits of one round of a step: calls of the account's object or for one upload, and rows or objects. R2 deletes up to 1000 at once. */
const LIVE = 50;
const BATCH = 500;
const ROWS = 5000;
const OBJECTS = 1000;

/** Stops what waits or runs, as DELETE of each task does. */
async function stopTasks({ core, deletions }: Deleting, accountId: string): Promise<boolean> {
  const ids = await deletions.liveTasks(accountId, LIVE);
  for (const id of ids) await core.account(accountId).remove(accountId, id);
  return ids.length === LIVE;
}

/** Files first, records last. Objects that are in no result are deleted as strays once their record is gone. */
async function removeTasks({ core, deletions }: Deleting, accountId: string): Promise<boolean> {
  const tasks = await deletions.endedTasks(accountId, BATCH);
  if (tasks.length === 0) return false;
  const keys = tasks.flatMap((task) => task.keys);
  for (let at = 0; at < keys.length; at += OBJECTS) await core.files.remove(keys.slice(at, at + OBJECTS));
  await deletions.removeTasks(
    accountId,
    tasks.map(({ id }) => id),
  );
  return tasks.length === BATCH;
}

async function removeUploads({ core }: Deleting, accountId: string): Promise<boolean> {
  const uploads = await core.uploads.ofAccount(accountId, LIVE);
  await core.uploadFiles.remove(uploads);
  await core.uploads.remove(
    accountId,
    uploads.map(({ id }) => id),
  );
  return uploads.length === LIVE;
}

async function removeArchive({ core, deletions }: Deleting, accountId: string): Promise<boolean> {
  const keys = await deletions.archiveKeys(accountId, BATCH);
  await core.archive.discard(accountId, keys);
  return keys.length === BATCH;
}

/** Also called when a deletion begins, because the steps before it may take long or fail. */
export async function endSubscription(
  { billing, customers }: Pick<Deleting, 'billing' | 'customers'>,
  accountId: string,
): Promise<boolean> {
  const known = billing && (await customers.find(accountId));
  if (known) await billing.endSubscriptions(known.customerId);
  return false;
}

async function removeRows({ deletions }: Deleting, accountId: string): Promise<boolean> {
  let more = false;
  for (const table of plainTableNames) {
    if ((await deletions.removeRows(table, accountId, ROWS)) === ROWS) more = true;
  }
  return more;
}

async function removeObject({ core }: Deleting, accountId: string): Promise<boolean> {
  if (await core.account(accountId).forget()) return false;
  throw new Error('the account still has live tasks');
}

async function removeAccount({ deletions }: Deleting, accountId: string): Promise<boolean> {
  await deletions.finish(accountId);
  return false;
}

/**
 * Everything that is kept of an account, in the order in which it is deleted. Who keeps something new of accounts adds a step, or a row
 * to `plainTables`; the last step fails while another table refers to the account.
 */
export const deletionSteps: readonly (readonly [name: string, step: DeletionStep])[] = [
  ['stop tasks', stopTasks],
  ['tasks and their files', removeTasks],
  ['uploads', removeUploads],
  ['archive', removeArchive],
  // Before the row that names the customer is deleted.
  ['subscription', endSubscription],
  ['rows', removeRows],
  ['object', removeObject],
  ['account', removeAccount],
];
