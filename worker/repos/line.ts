import { sql } from 'drizzle-orm';
import { type PlanName, planOf } from '../../schema/plans.ts';

/** What a waiting task waits for. */
interface Line {
  /** Its place among the account's waiting tasks, counted from 1. */
  position: number;
  /** Seconds that those before it are expected to take, one after the other. */
  ahead: number;
  running: number;
  /** Seconds that those that run still need, one after the other. */
  rest: number;
  plan: PlanName;
}

/**
 * What a waiting task waits for, as JSON; null once it runs. Others of which nothing is known count as the task itself. Names
 * the columns itself: drizzle leaves the table out where a query has only one, and `other` would take them for its own.
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

/** Reads what `line` gives, where it is not null. */
export function lineOf(json: string): Line {
  const [[position, ahead], [running, rest], plan] = JSON.parse(json) as [
    [number, number],
    [number, number],
    PlanName,
  ];
  return { position, ahead, running, rest, plan };
}

interface Waiting {
  etaSeconds: number | null;
  expectedSeconds: number | null;
}

/** Where a task is in its line and when it may be done: as its transcoder says, or by what is before it and how long such work takes. */
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
