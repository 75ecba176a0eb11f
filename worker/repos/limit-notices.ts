import { and, asc, eq, isNull, lt } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { accounts, limitNotices } from '../../drizzle/tables.ts';
import type { PlanName } from '../../schema/api/plans.ts';

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

    /** Claims the mail of a notice. @returns false if it is claimed already */
    async claim(notice: NewNotice, now: number): Promise<boolean> {
      const claimed = await db
        .update(limitNotices)
        .set({ mailedAt: now })
        .where(and(same(notice), isNull(mailedAt)))
        .returning({ month });
      return claimed.length === 1;
    },

    /** Gives a claim back whose mail could not be queued. */
    async release(notice: NewNotice): Promise<void> {
      await db.update(limitNotices).set({ mailedAt: null }).where(same(notice));
    },

    async removeBefore(before: number): Promise<void> {
      await db.delete(limitNotices).where(lt(notedAt, before));
    },
  };
}
