import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { billing } from '../../../drizzle/people.ts';
import { accounts } from '../../../drizzle/tables.ts';
import type { PlanName } from '../../../schema/api/plans.ts';
import { type Change, recorded } from './audit.ts';
import { type DueMail, writtenMails } from './due-mails.ts';

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

  const isOver = (now: number) => and(lte(accounts.payBy, now), eq(accounts.subscription, 'active'));

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
     * Writes the mails about a failed payment that the owners were not notified of, and about a subscription that became inactive.
     * @returns whether it was stored
     */
    async see(
      { accountId, now }: { accountId: string; now: number },
      asked: number,
      seen: Seen,
      entitlement: (Entitlement & { endsTrial: boolean }) | null,
      change: Change,
      mails: { failed: readonly DueMail[]; inactive: readonly DueMail[] },
    ): Promise<boolean> {
      const isLatest = sql`exists (select 1 from billing where account_id = ${accountId} and seen = ${asked})`;
      const { plan, subscription, payBy, endsTrial } = entitlement ?? { plan: null, endsTrial: false };
      const differs = sql`(plan <> ${plan} or subscription <> ${subscription ?? null})`;
      const trialAllows = endsTrial ? undefined : sql`trial_ends_at is null`;
      const ofAccount = and(eq(accounts.id, accountId), isLatest, trialAllows);
      const becomesInactive = sql`${isLatest} and exists (
        select 1 from accounts where id = ${accountId} and subscription = 'active')`;
      const isFailed = subscription === 'active' && payBy !== null;
      const [stored] = await db.batch([
        db
          .update(billing)
          .set({ ...seen, seen: asked, seenAt: now })
          .where(and(eq(billing.accountId, accountId), sql`seen < ${asked}`))
          .returning({ seen: billing.seen }),
        ...(plan === null
          ? []
          : [
              ...(isFailed
                ? [
                    db
                      .update(billing)
                      .set({ notifiedOf: payBy })
                      .where(
                        and(eq(billing.accountId, accountId), isLatest, sql`notified_of is not ${payBy}`),
                      ),
                    ...writtenMails(db, mails.failed),
                  ]
                : []),
              ...writtenMails(db, mails.inactive, becomesInactive),
              db.update(accounts).set({ plan, subscription }).where(and(ofAccount, differs)),
              recorded(db, change),
              db.update(accounts).set({ payBy, trialEndsAt: null }).where(ofAccount),
            ]),
      ]);
      return stored.length === 1;
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

    /** Accounts whose grace is over and whose subscription is still active; those whose customer was asked about last come last. */
    async graceOver(
      now: number,
      limit: number,
    ): Promise<{ id: string; plan: PlanName; customerId: string | null }[]> {
      return db
        .select({ id: accounts.id, plan: accounts.plan, customerId: billing.customerId })
        .from(accounts)
        .leftJoin(billing, eq(billing.accountId, accounts.id))
        .where(isOver(now))
        .orderBy(asc(billing.askedAt))
        .limit(limit);
    },

    /** Ends the grace of an account, and writes its mails. @returns false if it has ended already, or was extended */
    async endGrace(change: Change, mails: readonly DueMail[]): Promise<boolean> {
      const { accountId, now } = change;
      const [ended] = await db.batch([
        db
          .update(accounts)
          .set({ subscription: 'inactive' })
          .where(and(eq(accounts.id, accountId), isOver(now)))
          .returning({ id: accounts.id }),
        ...writtenMails(db, mails),
        recorded(db, change),
      ]);
      return ended.length === 1;
    },
  };
}
