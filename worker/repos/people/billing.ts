import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { billing } from '../../../drizzle/people.ts';
import { accounts } from '../../../drizzle/tables.ts';
import type { PlanName } from '../../../schema/api/plans.ts';
import { type Change, recorded } from './audit.ts';

export type BillingRow = typeof billing.$inferSelect;

/** What was found at Stripe. */
export type Seen = Pick<
  BillingRow,
  'subscriptionId' | 'status' | 'plan' | 'periodEndsAt' | 'endsAt' | 'nextPlan'
>;

/** What an account is entitled to. */
export interface Entitlement {
  plan: PlanName;
  subscription: 'active' | 'inactive';
  payBy: number | null;
}

export function billingRepo(db: DrizzleD1Database) {
  const find = async (accountId: string): Promise<BillingRow | null> => {
    const rows = await db.select().from(billing).where(eq(billing.accountId, accountId)).limit(1);
    return rows[0] ?? null;
  };

  return {
    find,

    async ofCustomer(customerId: string): Promise<BillingRow | null> {
      const rows = await db.select().from(billing).where(eq(billing.customerId, customerId)).limit(1);
      return rows[0] ?? null;
    },

    /** Connects an account to a customer, unless it has one. @returns the customer of the account */
    async connect(accountId: string, customerId: string, now: number): Promise<string> {
      const row = { accountId, customerId, asked: 0, askedAt: now, seen: 0, seenAt: now };
      await db.insert(billing).values(row).onConflictDoNothing({ target: billing.accountId });
      return (await find(accountId))?.customerId ?? customerId;
    },

    /** Numbers a request for the state at Stripe; call it before the request. @returns the number */
    async ask(accountId: string, now: number): Promise<number> {
      const rows = await db
        .update(billing)
        .set({ asked: sql`${billing.asked} + 1`, askedAt: now })
        .where(eq(billing.accountId, accountId))
        .returning({ asked: billing.asked });
      const [row] = rows;
      if (!row) throw new Error(`${accountId} has no customer`);
      return row.asked;
    },

    /**
     * Stores the response to a numbered request, unless that to a later one is stored already.
     * @returns what the account had before; null if the response was dropped
     */
    async see(
      { accountId, now }: { accountId: string; now: number },
      asked: number,
      seen: Seen,
      entitlement: (Entitlement & { endsTrial: boolean }) | null,
      change: Change,
    ): Promise<Entitlement | null> {
      const isLatest = sql`exists (select 1 from billing where account_id = ${accountId} and seen = ${asked})`;
      const { plan, subscription, payBy, endsTrial } = entitlement ?? { plan: null, endsTrial: false };
      const differs = sql`(plan <> ${plan} or subscription <> ${subscription ?? null})`;
      const trialAllows = endsTrial ? undefined : sql`trial_ends_at is null`;
      const ofAccount = and(eq(accounts.id, accountId), isLatest, trialAllows);
      const [before, stored] = await db.batch([
        db
          .select({ plan: accounts.plan, subscription: accounts.subscription, payBy: accounts.payBy })
          .from(accounts)
          .where(eq(accounts.id, accountId)),
        db
          .update(billing)
          .set({ ...seen, seen: asked, seenAt: now })
          .where(and(eq(billing.accountId, accountId), sql`seen < ${asked}`))
          .returning({ seen: billing.seen }),
        ...(plan === null
          ? []
          : [
              db.update(accounts).set({ plan, subscription }).where(and(ofAccount, differs)),
              recorded(db, change),
              db.update(accounts).set({ payBy, trialEndsAt: null }).where(ofAccount),
            ]),
      ]);
      return stored.length === 1 ? (before[0] ?? null) : null;
    },

    /** Customers whose state was not seen after `seenBefore` nor asked for after `askedBefore`, oldest first. */
    async due(seenBefore: number, askedBefore: number, limit: number): Promise<BillingRow[]> {
      return db
        .select()
        .from(billing)
        .where(and(lte(billing.seenAt, seenBefore), lte(billing.askedAt, askedBefore)))
        .orderBy(asc(billing.seenAt))
        .limit(limit);
    },

    /** Ends the grace of failed payments. @returns the accounts that became inactive by it */
    async endGrace(now: number): Promise<{ id: string; name: string }[]> {
      return db
        .update(accounts)
        .set({ subscription: 'inactive' })
        .where(and(lte(accounts.payBy, now), eq(accounts.subscription, 'active')))
        .returning({ id: accounts.id, name: accounts.name });
    },

    /** Records that the owners are notified of a failed payment. @returns false if they already were */
    async notify(accountId: string, payBy: number): Promise<boolean> {
      const rows = await db
        .update(billing)
        .set({ notifiedOf: payBy })
        .where(and(eq(billing.accountId, accountId), sql`notified_of is not ${payBy}`))
        .returning({ accountId: billing.accountId });
      return rows.length === 1;
    },
  };
}
