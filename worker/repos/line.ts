import { and, eq, inArray, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { tasks } from '../../drizzle/tables.ts';
import { type PlanName, planOf } from '../../schema/api/plans.ts';
import { liveStatuses, type Status } from '../../schema/task/task.ts';

/** What a queued task is waiting for. */
interface Line {
  /** Its position among the account's queued tasks, starting at 1. */
  position: number;
  /** Expected seconds of all tasks ahead of it, run one after the other. */
  ahead: number;
  running: number;
  /** Expected remaining seconds of the running tasks, run one after the other. */
  rest: number;
  plan: PlanName;
}

/**
 * What a queued task is waiting for, as JSON; null once it runs. Tasks without an estimate count like the task itself. Columns
 * are spelled out, because drizzle omits the table in queries with only one table, and `other` would then resolve them to
 * itself.
 */
export const line = sql<Line | null>`case when tasks.status = 'queued' then json_array(
  json((select json_array(count(*),
      total(iif(other.seq < tasks.seq, coalesce(other.expected_seconds, tasks.expected_seconds), 0)))
    from tasks as other
    where other.account_id = tasks.account_id and other.status = 'queued' and other.seq <= tasks.seq)),
  json((select json_array(count(*),
      total(coalesce(other.eta_seconds, other.expected_seconds, tasks.expected_seconds)))
    from tasks as other where other.account_id = tasks.account_id and other.status = 'processing')),
  (select plan from accounts as owner where owner.id = tasks.account_id)
) end`.mapWith(lineOf);

/** Parses the value of `line` if it is not null. */
export function lineOf(json: string): Line {
  const [[position, ahead], [running, rest], plan] = JSON.parse(json) as [
    [number, number],
    [number, number],
    PlanName,
  ];
  return { position, ahead, running, rest, plan };
}

/** The columns of a live task that the line needs. */
interface LiveRow {
  seq: number;
  status: Status;
  etaSeconds: number | null;
  expectedSeconds: number | null;
}

/** The live tasks of an account: at most as many rows as its plan lets wait and run, independent of its history. */
export function liveRowsQuery(db: DrizzleD1Database, accountId: string) {
  const { seq, status, etaSeconds, expectedSeconds } = tasks;
  return db
    .select({ seq, status, etaSeconds, expectedSeconds })
    .from(tasks)
    .where(and(eq(tasks.accountId, accountId), inArray(status, liveStatuses)));
}

/** `line` for every queued task of these, computed in one pass. */
export function linesOf(live: readonly LiveRow[], plan: PlanName): Map<number, Line> {
  const processing = live.filter(({ status }) => status === 'processing');
  const queued = live.filter(({ status }) => status === 'queued').toSorted((a, b) => a.seq - b.seq);
  const running = processing.length;
  const rest = totalOf(processing.map((task) => task.etaSeconds ?? task.expectedSeconds));
  const ahead = { known: 0, unknown: 0 };
  const lines = new Map<number, Line>();
  for (const [index, { seq, expectedSeconds }] of queued.entries()) {
    const seconds = ({ known, unknown }: typeof ahead) => known + unknown * (expectedSeconds ?? 0);
    lines.set(seq, { position: index + 1, ahead: seconds(ahead), running, rest: seconds(rest), plan });
    if (expectedSeconds === null) ahead.unknown += 1;
    else ahead.known += expectedSeconds;
  }
  return lines;
}

function totalOf(durations: readonly (number | null)[]): { known: number; unknown: number } {
  const known = durations.filter((seconds) => seconds !== null);
  return {
    known: known.reduce((sum, seconds) => sum + seconds, 0),
    unknown: durations.length - known.length,
  };
}

interface Waiting {
  etaSeconds: number | null;
  expectedSeconds: number | null;
}

/**
 * The position of a task in line and its expected end, from its transcoder's report or from the tasks ahead of it and typical
 * durations.
 */
export function prospects(
  { etaSeconds, expectedSeconds }: Waiting,
  line: Line | null,
): { queuePosition: number | null; etaSeconds: number | null } {
  if (!line) return { queuePosition: null, etaSeconds };
  const { position, ahead, running, rest, plan } = line;
  if (expectedSeconds === null) return { queuePosition: position, etaSeconds: null };
  const slots = planOf(plan).running;
  const wait = position <= slots - running ? 0 : (ahead + rest) / slots;
  return { queuePosition: position, etaSeconds: Math.round(wait + expectedSeconds) };
}
