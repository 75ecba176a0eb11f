import { and, eq, gt, inArray, isNull, lt, lte, not, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { type ChallengePurpose, challenges } from '../../../drizzle/people.ts';

export type { ChallengePurpose };
export type Challenge = typeof challenges.$inferSelect;
export type NewChallenge = Omit<Challenge, 'tries' | 'usedAt'>;

export interface Asked {
  browser: string;
  purpose: ChallengePurpose;
}

/** Only a signed-in person gets these, at their own address. Others who type this address do not use them up. */
const OF_SIGNED_IN: readonly ChallengePurpose[] = ['prove', 'old_address'];

/** Challenges since a time: to one address, where those for its signed-in person count separately, and by one client. */
export interface Quota {
  since: number;
  perEmail: number;
  perCaller: number;
}

const open = (now: number) => and(isNull(challenges.usedAt), gt(challenges.expiresAt, now));

/** Whether a challenge can still be used. */
export const isOpen = (id: string, now: number) => sql`exists (
  select 1 from ${challenges} where ${and(eq(challenges.id, id), open(now))})`;

/** Uses a challenge up, in the batch that writes what it was proven for. */
export const used = (db: DrizzleD1Database, id: string, now: number, where: SQL) =>
  db
    .update(challenges)
    .set({ usedAt: now })
    .where(and(eq(challenges.id, id), open(now), where));

export function challengesRepo(db: DrizzleD1Database) {
  const latest = ({ browser, purpose }: Asked) => sql`(
    select id from challenges where browser = ${browser} and purpose = ${purpose}
    order by created_at desc, id desc limit 1)`;

  return {
    /** @returns false, with nothing written, if there were too many of this address or of this client */
    async create(row: NewChallenge, quota: Quota): Promise<boolean> {
      const { id, purpose, email, browser, caller, secretHash, codeHash, next, createdAt, expiresAt } = row;
      const isOfSignedIn = inArray(challenges.purpose, OF_SIGNED_IN);
      const countsHere = OF_SIGNED_IN.includes(purpose) ? isOfSignedIn : not(isOfSignedIn);
      // In the order of the table's columns.
      const made = await db
        .insert(challenges)
        .select(
          sql`
            select ${id}, ${purpose}, ${email}, ${browser}, ${caller}, ${secretHash}, ${codeHash}, 0, ${next},
              ${createdAt}, ${expiresAt}, null
            where (select count(*) from challenges where email = ${email} and created_at > ${quota.since}
                and ${countsHere}) < ${quota.perEmail}
              and (select count(*) from challenges where caller = ${caller} and created_at > ${quota.since})
                < ${quota.perCaller}`,
        )
        .returning({ id: challenges.id });
      return made.length === 1;
    },

    /** Counts a try of the code that this browser was sent last. @returns null if it has none, or no tries left */
    async tryCode(asked: Asked, mostTries: number, now: number): Promise<Challenge | null> {
      const rows = await db
        .update(challenges)
        .set({ tries: sql`${challenges.tries} + 1` })
        .where(and(eq(challenges.id, latest(asked)), lt(challenges.tries, mostTries), open(now)))
        .returning();
      return rows[0] ?? null;
    },

    /** The open challenge with this secret; uses nothing up. */
    async read(secretHash: string, purpose: ChallengePurpose, now: number): Promise<Challenge | null> {
      const rows = await db
        .select()
        .from(challenges)
        .where(and(eq(challenges.secretHash, secretHash), eq(challenges.purpose, purpose), open(now)))
        .limit(1);
      return rows[0] ?? null;
    },

    /** Uses up the challenge with this secret. @returns null if it is unknown, used or expired */
    async take(secretHash: string, purpose: ChallengePurpose, now: number): Promise<Challenge | null> {
      const rows = await db
        .update(challenges)
        .set({ usedAt: now })
        .where(and(eq(challenges.secretHash, secretHash), eq(challenges.purpose, purpose), open(now)))
        .returning();
      return rows[0] ?? null;
    },

    async removeExpired(before: number): Promise<void> {
      await db.delete(challenges).where(lte(challenges.expiresAt, before));
    },
  };
}
