import {
  type PartStatus,
  PROBE_MINUTES,
  STATUS_DAYS,
  type StatusDay,
  type StatusPart,
} from '../../../schema/api/status.ts';
import { DAY_MS, utcDay } from '../../../schema/time.ts';
import type { DayRow, Probe } from '../../repos/status.ts';

/** Whole days of probes that are kept besides today; a day is folded again while its probes are there. */
export const PROBE_DAYS = 2;

/** The days that are shown, oldest first; the last one is today. */
export function shownDays(now: number): string[] {
  return Array.from({ length: STATUS_DAYS }, (_, index) => utcDay(now - (STATUS_DAYS - 1 - index) * DAY_MS));
}

/** The smallest value that at least this share of the values does not exceed (nearest rank); null without values. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** A row a day and part, of all probes of these days. */
export function foldProbes(probes: readonly Probe[]): DayRow[] {
  const groups = Map.groupBy(probes, ({ at, part }) => `${utcDay(at)} ${part}`);
  return [...groups.values()].flatMap((group) => {
    const last = group.reduce((latest, probe) => (probe.at > latest.at ? probe : latest));
    const overheads = group.flatMap(({ overheadMs }) => overheadMs ?? []);
    return {
      day: utcDay(last.at),
      part: last.part,
      probes: group.length,
      failed: group.filter(({ ok }) => !ok).length,
      lastAt: last.at,
      lastOk: last.ok,
      overheadP50Ms: percentile(overheads, 0.5),
      overheadP95Ms: percentile(overheads, 0.95),
    };
  });
}

/** In hundredths of a percent, rounded down: one failure never shows as 100 %. */
export function uptimePercent(days: readonly Pick<StatusDay, 'probes' | 'failed'>[]): number | null {
  const probes = days.reduce((sum, day) => sum + day.probes, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  return probes === 0 ? null : Math.floor(((probes - failed) * 10_000) / probes) / 100;
}

/** The history of a part, with an empty entry for each day without a probe. */
export function historyOf(
  rows: readonly DayRow[],
  part: StatusPart,
  now: number,
): Pick<PartStatus, 'days' | 'uptime_percent'> {
  const own = new Map(rows.filter((row) => row.part === part).map((row) => [row.day, row]));
  const days = shownDays(now).map((day) => {
    const { probes = 0, failed = 0 } = own.get(day) ?? {};
    return { day, probes, failed };
  });
  return { days, uptime_percent: uptimePercent(days) };
}

/** The last probe of a part. */
export function lastProbe(rows: readonly DayRow[], part: StatusPart): { at: number; ok: boolean } | null {
  const last = rows
    .filter((row) => row.part === part)
    .reduce<DayRow | null>((latest, row) => (latest && latest.lastAt > row.lastAt ? latest : row), null);
  return last && { at: last.lastAt, ok: last.lastOk };
}

/** Whether a probe task is due: every `minutes`, counted from the hour 0 of 1970, whichever runs were missed. */
export function isTaskDue(now: number, minutes: number): boolean {
  if (minutes === 0) return false;
  return Math.floor(now / 60_000) % minutes < PROBE_MINUTES;
}
