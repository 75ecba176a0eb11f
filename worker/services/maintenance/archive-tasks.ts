import { planOf } from '../../../schema/api/plans.ts';
import { midnight } from '../../../schema/time.ts';
import { log } from '../../lib/log.ts';
import type { accountsRepo } from '../../repos/accounts.ts';
import { type archiveRepo, newChunkKey } from '../../repos/archive.ts';
import type { retentionRepo } from '../../repos/retention.ts';

/** Limits of one round: tasks read, days of accounts, and tasks and characters moved. */
const LOOK = 1000;
const DAYS = 10;
const TASKS = 1000;
const CHARACTERS = 8_000_000;
/** Longer than a round can take. */
const PATIENCE_MS = 3600_000;

interface Archiving {
  archive: ReturnType<typeof archiveRepo>;
  retention: ReturnType<typeof retentionRepo>;
  accounts: ReturnType<typeof accountsRepo>;
}

/**
 * Moves a batch of ended tasks into the archive. Eligibility is judged as of the last midnight (UTC), so that the tasks of an
 * account and a day become eligible together and share a chunk, which keeps the number of objects low.
 * @returns whether there may be more
 */
export async function archiveTasks(context: Archiving, now: number): Promise<boolean> {
  const asOf = midnight(now);
  const days = await context.retention.archivableDays(asOf, LOOK);
  if (days.length === 0) return false;
  const archivable = await context.retention.archivable(days.slice(0, DAYS), asOf, TASKS);
  let characters = 0;
  const taken = archivable.slice(0, TASKS).filter(({ size }, index) => {
    characters += size;
    return index === 0 || characters <= CHARACTERS;
  });
  if (taken.length === 0) return false;
  const records = new Map(
    (await context.retention.records(taken.map(({ id }) => id))).map((task) => [task.id, task]),
  );
  const plans = await context.accounts.plansOf([...new Set(taken.map(({ accountId }) => accountId))]);
  const chunks = [...Map.groupBy(taken, ({ accountId, day }) => `${accountId} ${day}`).values()].flatMap(
    (group) => {
      const tasks = group.flatMap(({ id }) => records.get(id) ?? []);
      const { accountId } = group[0] ?? { accountId: '' };
      const plan = plans.get(accountId);
      if (tasks.length === 0 || !plan) return [];
      const ended = Math.max(...tasks.map(({ completedAt }) => completedAt ?? 0));
      const removeAt = ended + planOf(plan).record_seconds * 1000;
      return [{ chunk: { key: newChunkKey(accountId), accountId, removeAt, begunAt: now }, records: tasks }];
    },
  );
  const moved = await context.archive.move(chunks);
  log('info', 'tasks_archived', { tasks: moved, chunks: chunks.length });
  return moved > 0;
}

/** Removes archived records whose retention is over. @returns whether there may be more */
export async function removeOldRecords(context: Archiving, now: number): Promise<boolean> {
  const due = await context.archive.due(now, LOOK);
  const over: string[] = [];
  for (const { key, endedAt, plan } of due) {
    // The account may since have changed to a plan with longer retention.
    const removeAt = endedAt + planOf(plan).record_seconds * 1000;
    if (removeAt <= now) over.push(key);
    else await context.archive.postpone(key, removeAt);
  }
  await context.archive.drop(over);
  await context.archive.erase(over);
  if (over.length > 0) log('info', 'records_removed', { chunks: over.length });
  return due.length === LOOK;
}

/** Cleans up after interrupted moves and deletions. @returns whether there may be more */
export async function cleanArchive(context: Archiving, now: number): Promise<boolean> {
  const keys = await context.archive.unfinished(now, PATIENCE_MS, LOOK);
  await context.archive.erase(keys);
  if (keys.length > 0) log('info', 'archive_cleaned', { chunks: keys.length });
  return keys.length === LOOK;
}
