import { and, asc, eq, isNull, lt } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { accounts, limitNotices } from '../../drizzle/tables.ts';
import type { PlanName } from '../../schema/api/plans.ts';
import type { Also } from './also.ts';

type LimitNotice = typeof limitNotices.$inferSelect;
type NewNotice = Omit<LimitNotice, 'mailedAt'>;

export function limitNoticesRepo(db: DrizzleD1Database) {
  const { accountId, limit, month, percent, mailedAt, notedAt } = limitNotices;
  const same = (notice: NewNotice) =>
    and(
      eq(accountId, notice.accountId),
      eq(limit, notice.limit),
      eq(month, notice.month),
      eq(percent, notice.percent),
    );

  return {
    /** Writes a notice unless the account has the same one of that month. */
    async note({ accountId, ...row }: NewNotice): Promise<void> {
      await db
        .insert(limitNotices)
        .values({ accountId, ...row })
        .onConflictDoNothing();
    },

    /** Notices without a mail, oldest first, with the name and the plan of their account. */
    async open(most: number): Promise<{ notice: LimitNotice; account: { name: string; plan: PlanName } }[]> {
      return db
        .select({ notice: limitNotices, account: { name: accounts.name, plan: accounts.plan } })
        .from(limitNotices)
        .innerJoin(accounts, eq(accounts.id, accountId))
        .where(isNull(mailedAt))
        .orderBy(asc(notedAt))
        .limit(most);
    },

    /** Marks a notice as mailed, and writes its mails with `also`, unless it is marked already. */
    async claim(notice: NewNotice, now: number, also: Also): Promise<void> {
      await db.batch([
        db
          .update(limitNotices)
          .set({ mailedAt: now })
          .where(and(same(notice), isNull(mailedAt))),
        ...also(db),
      ]);
    },

    async removeBefore(before: number): Promise<void> {
      await db.delete(limitNotices).where(lt(notedAt, before));
    },
  };
}
