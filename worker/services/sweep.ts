import type { Context } from '../context.ts';
import { log } from '../lib/log.ts';

const STUCK_AFTER_MS = 24 * 3600_000;

/** The second line behind each account's alarm: finds live tasks that nobody looks after, and says so to their account. */
export async function sweep(context: Context, now: number): Promise<void> {
  const orphans = await context.tasks.orphans(now, now - STUCK_AFTER_MS, 200);
  for (const { id, accountId } of orphans) {
    log('warn', 'orphan_found', { task_id: id });
    await context.account(accountId).nudge(accountId, id);
  }
}
