import { and, desc, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
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

    /**
     * Adds a new secret. The previous one ends at `overlapEnd`, and older ones end at once.
     * @param replaced When the secret that it replaces was created; null if it has to be the first one; undefined: whichever there is
     * @returns false, with nothing changed, if that is not the newest one
     */
    async rotate(
      accountId: string,
      sealed: string,
      { now, overlapEnd, replaced }: { now: number; overlapEnd: number; replaced: number | null | undefined },
      also: Also,
    ): Promise<boolean> {
      const isNewest = and(ofAccount(accountId), isNull(webhookSecrets.expiresAt));
      const isReplaced = replaced === null ? sql`false` : eq(webhookSecrets.createdAt, replaced ?? 0);
      const ends = replaced === undefined ? isNewest : and(isNewest, isReplaced);
      const [, , added] = await db.batch([
        db
          .delete(webhookSecrets)
          .where(
            and(
              ...[ofAccount(accountId), isNotNull(webhookSecrets.expiresAt)],
              sql`exists (select 1 from ${webhookSecrets} where ${ends})`,
            ),
          ),
        db.update(webhookSecrets).set({ expiresAt: overlapEnd }).where(ends),
        // In the order of the table's columns.
        db
          .insert(webhookSecrets)
          .select(
            sql`select ${accountId}, ${sealed}, ${now}, null
              where not exists (select 1 from ${webhookSecrets} where ${isNewest})`,
          )
          .returning({ createdAt: webhookSecrets.createdAt }),
        ...also(db),
      ]);
      return added.length === 1;
    },

    async removeExpired(now: number): Promise<void> {
      await db.delete(webhookSecrets).where(lte(webhookSecrets.expiresAt, now));
    },
  };
}
