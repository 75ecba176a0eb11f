import { type Figures, figures, type Usage, usageQuery } from '../../../schema/api/usage.ts';
import { DAY_MS, utcDay } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { fieldProblem, type Problem, parseInput } from '../../lib/problem.ts';
import type { Caller } from '../../repos/keys.ts';
import type { UsageRow } from '../../repos/usage.ts';

const DEFAULT_DAYS = 30;
const MOST_DAYS = 366;
/** A date with a year of four digits is not earlier. */
const FIRST_DAY = '0000-01-01';

/**
 * The usage of an account by day and operation; a task counts on the UTC day on which it ended.
 * @throws Problem validation_failed
 */
export async function usageOf(context: Context, caller: Caller, query: unknown, now: number): Promise<Usage> {
  const given = parseInput(usageQuery, query);
  const to = given.to ?? utcDay(now);
  const from =
    given.from ?? utcDay(Math.max(Date.parse(FIRST_DAY), Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS));
  const span = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (span < 1) throw wrong('/from', '`from` must not be later than `to`.');
  if (span > MOST_DAYS) throw wrong('/from', `The range must not exceed ${MOST_DAYS} days.`);
  const rows = await context.usage.days(caller.accountId, from, to);
  return {
    object: 'usage',
    from,
    to,
    totals: total(rows.map(figuresOf)),
    days: [...Map.groupBy(rows, (row) => row.day)].map(([day, ofDay]) => ({
      date: day,
      operations: ofDay.map((row) => ({ operation: row.operation, ...figuresOf(row) })),
    })),
  };
}

function wrong(pointer: string, detail: string): Problem {
  return fieldProblem('validation_failed', [{ pointer, code: 'out_of_range', detail }]);
}

function figuresOf(row: UsageRow): Figures {
  return {
    completed: row.completed,
    failed: row.failed,
    source_seconds: row.sourceSeconds,
    output_seconds: row.outputSeconds,
    processing_seconds: row.processingSeconds,
    bytes_read: row.bytesRead,
    bytes_stored: row.bytesStored,
  };
}

const names = Object.keys(figures) as (keyof Figures)[];

function total(rows: readonly Figures[]): Figures {
  const sums = names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]);
  return Object.fromEntries(sums) as Figures;
}
