import {
  type Incident,
  type PartState,
  type PartStatus,
  PROBE_MINUTES,
  type StatusPart,
  type StatusReport,
  statusPartNames,
  statusParts,
} from '../../../schema/api/status.ts';
import { iso, isoOrNull } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import { oncePer } from '../../lib/once-per.ts';
import { sharedAnswer } from '../../lib/shared-answer.ts';
import { within } from '../../lib/within.ts';
import type { DayRow, IncidentRow } from '../../repos/status.ts';
import { readinessOf } from '../docs/readiness.ts';
import { historyOf, lastProbe, shownDays } from './days.ts';

type History = Awaited<ReturnType<Context['status']['history']>>;

/** How long an isolate reuses the history, and how long it tries to read it. */
const HISTORY = { goodMs: 10_000, missingMs: 2000, answerMs: 3000, waitMs: 5000 };

const historyReader = oncePer((context: Context) => {
  const read = async (): Promise<History | null> => {
    try {
      const [since = ''] = shownDays(Date.now());
      return await within(HISTORY.answerMs, context.status.history(since));
    } catch (error) {
      log('warn', 'status_history_missing', { error: errorText(error) });
      return null;
    }
  };
  return sharedAnswer(read, {
    waitMs: HISTORY.waitMs,
    goodMs: (found) => (found ? HISTORY.goodMs : HISTORY.missingMs),
  });
});

interface Found {
  state: PartState;
  at: number | null;
}

/** The last probe of a part, unless two or more are missing since then. */
function probed(rows: readonly DayRow[], part: StatusPart, minutes: number, now: number): Found {
  const last = lastProbe(rows, part);
  if (!last) return { state: 'unknown', at: null };
  const recent = last.at > now - 2.5 * minutes * 60_000;
  return { state: recent ? (last.ok ? 'up' : 'down') : 'unknown', at: last.at };
}

function incidentOf({ id, title, part, openedAt, closedAt, updates }: IncidentRow): Incident {
  return {
    ...{ id, title, part },
    opened_at: iso(openedAt),
    closed_at: isoOrNull(closedAt),
    updates: updates.map(({ at, text }) => ({ at: iso(at), text })),
  };
}

function overheadOf(days: readonly DayRow[]): NonNullable<StatusReport['overhead']> {
  return days
    .flatMap(({ day, overheadP50Ms: p50_ms, overheadP95Ms: p95_ms }) =>
      p50_ms === null || p95_ms === null ? [] : [{ day, p50_ms, p95_ms }],
    )
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** A part that is not probed here does not count. */
function overall(parts: readonly PartStatus[], taskMinutes: number): PartState {
  const counted = parts.filter(({ name }) => name !== 'task' || taskMinutes > 0);
  if (counted.some(({ state }) => state === 'down')) return 'down';
  return counted.some(({ state }) => state === 'unknown') ? 'unknown' : 'up';
}

/** Answers whichever parts do. */
export async function readStatus(context: Context, version: string, now: number): Promise<StatusReport> {
  const [{ checks }, history] = await Promise.all([readinessOf(context, version), historyReader(context)()]);
  const rows = history?.days ?? [];
  const taskMinutes = Math.max(context.config.STATUS_TASK_MINUTES, PROBE_MINUTES);
  const { ok, checked_at } = checks.transcoder;
  const live = (answers: boolean): Found => ({ state: answers ? 'up' : 'down', at: now });
  const found: Record<StatusPart, Found> = {
    database: live(checks.database.ok),
    storage: live(checks.storage.ok),
    queue: probed(rows, 'queue', PROBE_MINUTES, now),
    transcoder: {
      state: ok === null ? 'unknown' : ok ? 'up' : 'down',
      at: checked_at === null ? null : Date.parse(checked_at),
    },
    task: probed(rows, 'task', taskMinutes, now),
  };
  const parts = statusPartNames.map((name): PartStatus => {
    const { state, at } = found[name];
    return {
      ...{ name, title: statusParts[name].title, state },
      checked_at: isoOrNull(at),
      ...(history ? historyOf(rows, name, now) : { days: null, uptime_percent: null }),
    };
  });
  return {
    state: overall(parts, context.config.STATUS_TASK_MINUTES),
    version,
    checked_at: iso(now),
    parts,
    task_minutes: context.config.STATUS_TASK_MINUTES,
    overhead: history && overheadOf(rows),
    incidents: history?.incidents.map(incidentOf) ?? null,
  };
}
