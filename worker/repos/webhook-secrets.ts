import { and, desc, eq, gt, isNotNull, isNull, lte, or } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { webhookSecrets } from '../../drizzle/tables.ts';
import type { Also } from './also.ts';

export type SecretRow = typeof webhookSecrets.$inferSelect;

export function webhookSecretsRepo(db: DrizzleD1Database) {
  const ofAccount = (accountId: string) => eq(webhookSecrets.accountId, accountId);
  return {
    /** The valid secrets, newest first. */
    async valid(accountId: string, now: number): Promise<SecretRow[]> {
      return db
        .select()
        .from(webhookSecrets)
        .where(
          and(ofAccount(accountId), or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, now))),
        )
        .orderBy(isNotNull(webhookSecrets.expiresAt), desc(webhookSecrets.createdAt));
    },

    /** Writes the first secret of an account, unless another request has just written it. */
    async addFirst(accountId: string, sealed: string, now: number): Promise<void> {
      await db.insert(webhookSecrets).values({ accountId, sealed, createdAt: now }).onConflictDoNothing();
    },

    /** Adds a new secret. The previous one ends at `overlapEnd`, and older ones end at once. */
    async rotate(
      accountId: string,
      sealed: string,
      { now, overlapEnd }: { now: number; overlapEnd: number },
      also: Also,
    ): Promise<void> {
      await db.batch([
        db.delete(webhookSecrets).where(and(ofAccount(accountId), isNotNull(webhookSecrets.expiresAt))),
        db
          .update(webhookSecrets)
          .set({ expiresAt: overlapEnd })
          .where(and(ofAccount(accountId), isNull(webhookSecrets.expiresAt))),
        db.insert(webhookSecrets).values({ accountId, sealed, createdAt: now }),
        ...also(db),
      ]);
    },

    async removeExpired(now: number): Promise<void> {
      await db.delete(webhookSecrets).where(lte(webhookSecrets.expiresAt, now));
    },
  };
}
