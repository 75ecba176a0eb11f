import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { incidents, statusDays, statusProbes } from '../../drizzle/status.ts';
import { accounts, tasks, usageDays } from '../../drizzle/tables.ts';

export type Probe = typeof statusProbes.$inferSelect;
export type DayRow = typeof statusDays.$inferSelect;
export type IncidentRow = typeof incidents.$inferSelect;

/** Incidents that are read; older ones are not shown. */
const INCIDENTS = 50;

const daysQuery = (db: DrizzleD1Database, since: string) =>
  db.select().from(statusDays).where(gte(statusDays.day, since));

const incidentsQuery = (db: DrizzleD1Database) =>
  db.select().from(incidents).orderBy(desc(incidents.openedAt)).limit(INCIDENTS);

export function statusRepo(db: DrizzleD1Database) {
  return {
    /** Writes the probe of the database itself, and reads it back. @throws unless both succeed */
    async writeAndRead(at: number): Promise<void> {
      const row = { at, part: 'database' as const, ok: true, overheadMs: null };
      await db.insert(statusProbes).values(row).onConflictDoNothing();
      const found = await db
        .select({ at: statusProbes.at })
        .from(statusProbes)
        .where(and(eq(statusProbes.at, at), eq(statusProbes.part, 'database')));
      if (found.length !== 1) throw new Error('the row that was written cannot be read');
    },

    /** Safe to repeat. */
    async addProbes(probes: readonly Probe[]): Promise<void> {
      await db.run(sql`insert into status_probes (at, part, ok, overhead_ms)
        select value ->> 'at', value ->> 'part', value ->> 'ok', value ->> 'overheadMs'
        from json_each(${JSON.stringify(probes)}) where true
        on conflict (at, part) do update set ok = excluded.ok, overhead_ms = excluded.overhead_ms`);
    },

    async probesSince(at: number): Promise<Probe[]> {
      return db.select().from(statusProbes).where(gte(statusProbes.at, at));
    },

    async setDays(rows: readonly DayRow[]): Promise<void> {
      const [first, ...more] = rows.map((row) =>
        db
          .insert(statusDays)
          .values(row)
          .onConflictDoUpdate({ target: [statusDays.day, statusDays.part], set: row }),
      );
      if (first) await db.batch([first, ...more]);
    },

    /** What `/status` shows: the days from this one on, and incidents, newest first. */
    async history(since: string): Promise<{ days: DayRow[]; incidents: IncidentRow[] }> {
      const [days, rows] = await db.batch([daysQuery(db, since), incidentsQuery(db)]);
      return { days, incidents: rows };
    },

    /** Deletes probes before `at`, days before `day`, and incidents that were closed before `closedAt`. */
    async removeBefore({ at, day, closedAt }: { at: number; day: string; closedAt: number }): Promise<void> {
      await db.batch([
        db.delete(statusProbes).where(lt(statusProbes.at, at)),
        db.delete(statusDays).where(lt(statusDays.day, day)),
        db.delete(incidents).where(lt(incidents.closedAt, closedAt)),
      ]);
    },

    /** Creates the account of the probe tasks, and the completed task whose file they read, unless they exist. */
    async ensureSource(
      account: typeof accounts.$inferInsert,
      task: Omit<typeof tasks.$inferInsert, 'accountId'>,
    ): Promise<void> {
      await db.batch([
        db.insert(accounts).values(account).onConflictDoNothing(),
        db
          .insert(tasks)
          .values({ ...task, accountId: account.id })
          .onConflictDoNothing(),
      ]);
    },

    /**
     * Takes the usage of an account away, which is of its tasks since the last call.
     * @returns how many of them completed, and how long machines worked on all of them
     */
    async takeUsage(accountId: string): Promise<{ completed: number; processingSeconds: number }> {
      const { completed, processingSeconds } = usageDays;
      const rows = await db
        .delete(usageDays)
        .where(eq(usageDays.accountId, accountId))
        .returning({ completed, processingSeconds });
      return {
        completed: rows.reduce((sum, row) => sum + row.completed, 0),
        processingSeconds: rows.reduce((sum, row) => sum + row.processingSeconds, 0),
      };
    },
  };
}
