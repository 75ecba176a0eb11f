import { and, eq } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { accounts, tasks } from '../../drizzle/tables.ts';
import type { PlanName } from '../../schema/api/plans.ts';
import { isIn } from './is-in.ts';
import type { TaskRow } from './task-row.ts';

export function accountsRepo(db: DrizzleD1Database) {
  return {
    /** A task and the plan whose limits apply to it. */
    async taskWithPlan(accountId: string, taskId: string): Promise<{ task: TaskRow; plan: PlanName } | null> {
      const rows = await db
        .select({ task: tasks, plan: accounts.plan })
        .from(tasks)
        .innerJoin(accounts, eq(accounts.id, tasks.accountId))
        .where(and(eq(tasks.id, taskId), eq(tasks.accountId, accountId)))
        .limit(1);
      return rows[0] ?? null;
    },

    async plansOf(ids: readonly string[]): Promise<Map<string, PlanName>> {
      const rows = await db
        .select({ id: accounts.id, plan: accounts.plan })
        .from(accounts)
        .where(isIn(accounts.id, ids));
      return new Map(rows.map(({ id, plan }) => [id, plan]));
    },

    /** Whether the database answers. */
    async ping(): Promise<void> {
      await db.select({ id: accounts.id }).from(accounts).limit(1);
    },
  };
}
