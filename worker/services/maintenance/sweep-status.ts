import { STATUS_DAYS } from '../../../schema/api/status.ts';
import type { Context } from '../../context.ts';
import { dayOf, PROBE_DAYS } from '../status/days.ts';

const DAY_MS = 24 * 3600_000;

/** Deletes what `/status` no longer shows. @returns whether there may be more */
export async function removeOldStatus({ status }: Context, now: number): Promise<boolean> {
  await status.removeBefore({
    at: now - (now % DAY_MS) - PROBE_DAYS * DAY_MS,
    day: dayOf(now - (STATUS_DAYS - 1) * DAY_MS),
    closedAt: now - STATUS_DAYS * DAY_MS,
  });
  return false;
}
