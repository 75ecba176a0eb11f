import { STATUS_DAYS } from '../../../schema/api/status.ts';
import { DAY_MS, midnight, utcDay } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { PROBE_DAYS } from '../status/days.ts';

/** Deletes what `/status` no longer shows. @returns whether there may be more */
export async function removeOldStatus({ status }: Context, now: number): Promise<boolean> {
  await status.removeBefore({
    at: midnight(now) - PROBE_DAYS * DAY_MS,
    day: utcDay(now - (STATUS_DAYS - 1) * DAY_MS),
    closedAt: now - STATUS_DAYS * DAY_MS,
  });
  return false;
}
