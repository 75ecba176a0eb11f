import { and, asc, between, eq, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { tasks, usageDays } from '../../drizzle/tables.ts';
import type { Metering, Result } from '../../schema/task/wire.ts';
import { utcDay } from '../../schema/time.ts';

export type UsageRow = typeof usageDays.$inferSelect;

/** The usage figures that are summed. */
type Cost = Omit<UsageRow, 'accountId' | 'day' | 'operation'>;

/** The usage of a task that ends with this result, or without one. */
export function costOf(
  status: 'completed' | 'failed',
  result: Result | null,
  metering: Metering | undefined,
): Cost {
  return {
    completed: status === 'completed' ? 1 : 0,
    failed: status === 'failed' ? 1 : 0,
    sourceSeconds: metering?.source_seconds ?? 0,
    outputSeconds: result?.duration ?? 0,
    processingSeconds: metering?.processing_seconds ?? 0,
    bytesRead: metering?.bytes_read ?? result?.bytes_read ?? 0,
    bytesStored: result?.files.reduce((sum, file) => sum + file.file_size, 0) ?? 0,
  };
}

/**
 * Adds the usage of a task to its day if `ending` still holds for it. Place it before the statement that ends the task, in the
 * same batch and with the same condition, so that it counts exactly if that statement changes the task.
 */
export function addUsage(db: DrizzleD1Database, ending: SQL | undefined, cost: Cost, now: number) {
  const figure = (name: keyof Cost) => sql<number>`${cost[name]}`.as(name);
  const more = (name: keyof Cost) =>
    sql`${usageDays[name]} + excluded.${sql.identifier(usageDays[name].name)}`;
  return db
    .insert(usageDays)
    .select(
      db
        .select({
          accountId: tasks.accountId,
          day: sql<string>`${utcDay(now)}`.as('day'),
          operation: tasks.operation,
          completed: figure('completed'),
          failed: figure('failed'),
          sourceSeconds: figure('sourceSeconds'),
          outputSeconds: figure('outputSeconds'),
          processingSeconds: figure('processingSeconds'),
          bytesRead: figure('bytesRead'),
          bytesStored: figure('bytesStored'),
        })
        .from(tasks)
        .where(ending),
    )
    .onConflictDoUpdate({
      target: [usageDays.accountId, usageDays.day, usageDays.operation],
      set: {
        completed: more('completed'),
        failed: more('failed'),
        sourceSeconds: more('sourceSeconds'),
        outputSeconds: more('outputSeconds'),
        processingSeconds: more('processingSeconds'),
        bytesRead: more('bytesRead'),
        bytesStored: more('bytesStored'),
      },
    });
}

export function usageRepo(db: DrizzleD1Database) {
  return {
    /** An account's usage from `from` to `to`, both inclusive, oldest day first, by operation. */
    async days(accountId: string, from: string, to: string): Promise<UsageRow[]> {
      return db
        .select()
        .from(usageDays)
        .where(and(eq(usageDays.accountId, accountId), between(usageDays.day, from, to)))
        .orderBy(asc(usageDays.day), asc(usageDays.operation));
    },
  };
}
