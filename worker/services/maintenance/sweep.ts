import type { Context } from '../../context.ts';
import { log } from '../../lib/log.ts';
import { archiveTasks, cleanArchive, removeOldRecords } from './archive-tasks.ts';
import { attempt } from './attempt.ts';
import { nudgeOverdue, nudgeWaiting } from './nudge-tasks.ts';
import { removeExpiredFiles, removeStrays } from './sweep-files.ts';
import { removeOldStatus } from './sweep-status.ts';
import { removeExpiredUploads, removeStrayUploads } from './sweep-uploads.ts';

/**
 * Rounds per sweep. The steps of a round send about 15 queries to D1, and one invocation may send a thousand:
 * https://developers.cloudflare.com/d1/platform/limits/
 */
const ROUNDS = 50;
/** A sweep ends before the next one is due. */
const SWEEP_MS = 4 * 60_000;

/** @returns whether there may be more work. Safe to interrupt and repeat. */
type Step = (context: Context, now: number) => Promise<boolean>;

const steps: Record<string, Step> = {
  nudgeOverdue,
  nudgeWaiting,
  removeExpiredFiles,
  removeExpiredUploads,
  archiveTasks,
  removeOldRecords,
  cleanArchive,
  removeStrays,
  removeStrayUploads,
  removeOldStatus,
};

/**
 * Cron fallback: nudges overdue tasks, and deletes expired files and records, in turns until nothing is left or the time is up.
 */
export async function sweep(context: Context, now: number): Promise<void> {
  let over = false;
  const timer = setTimeout(() => {
    over = true;
  }, SWEEP_MS);
  const left = new Map(Object.entries(steps));
  let rounds = 0;
  for (; rounds < ROUNDS && left.size > 0 && !over; rounds++) {
    for (const [name, step] of left) if (!(await attempt(name, () => step(context, now)))) left.delete(name);
  }
  clearTimeout(timer);
  if (left.size > 0) log('warn', 'sweep_behind', { steps: [...left.keys()].join(' '), rounds });
}
