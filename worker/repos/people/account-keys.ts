import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { keys } from '../../../drizzle/tables.ts';
import { keyIsValid } from '../keys.ts';
import { type Change, recorded } from './audit.ts';

export type KeyRow = typeof keys.$inferSelect;
export type ListedKey = Omit<KeyRow, 'hash' | 'lifetime'>;
export type NewKey = Omit<KeyRow, 'lastUsedAt' | 'revokedAt'>;

/** Lifetime of a key that was made without an end, and got one when it was rolled. */
export const NEVER = 0;

/** The keys of an account as its members manage them. */
export function accountKeysRepo(db: DrizzleD1Database) {
  const own = (accountId: string, id: string) => and(eq(keys.id, id), eq(keys.accountId, accountId));
  const fewer = (accountId: string, now: number, most: number) => sql`(select count(*) from ${keys}
    where ${and(eq(keys.accountId, accountId), keyIsValid(now))}) < ${most}`;
  const newer = (accountId: string, label: string, since: number, now: number) =>
    and(eq(keys.accountId, accountId), eq(keys.label, label), gt(keys.createdAt, since), keyIsValid(now));
  // In the order of the table's columns.
  const inserted = (
    { id, accountId, label, hash, createdAt, expiresAt, lifetime }: NewKey,
    where: ReturnType<typeof sql>,
  ) =>
    db
      .insert(keys)
      .select(
        sql`select ${id}, ${accountId}, ${label}, ${hash}, ${createdAt}, null, null, ${expiresAt}, ${lifetime} where ${where}`,
      )
      .returning({ id: keys.id });

  return {
    /** The keys that work, then those that no longer do, each newest first. */
    async list(accountId: string, now: number, limit: number): Promise<ListedKey[]> {
      return db
        .select({
          id: keys.id,
          accountId: keys.accountId,
          label: keys.label,
          createdAt: keys.createdAt,
          lastUsedAt: keys.lastUsedAt,
          revokedAt: keys.revokedAt,
          expiresAt: keys.expiresAt,
        })
        .from(keys)
        .where(eq(keys.accountId, accountId))
        .orderBy(sql`${keyIsValid(now)} desc`, desc(keys.createdAt), desc(keys.id))
        .limit(limit);
    },

    /** A key that works. */
    async find(accountId: string, id: string, now: number): Promise<KeyRow | null> {
      const rows = await db
        .select()
        .from(keys)
        .where(and(own(accountId, id), keyIsValid(now)))
        .limit(1);
      return rows[0] ?? null;
    },

    /** Whether a key with this label was made after `since`, and works. */
    async isNewerThan(accountId: string, label: string, since: number, now: number): Promise<boolean> {
      const rows = await db
        .select({ id: keys.id })
        .from(keys)
        .where(newer(accountId, label, since, now))
        .limit(1);
      return rows.length === 1;
    },

    /** @returns false, with nothing written, if the account has `most` keys that work */
    async create(change: Change, key: NewKey, most: number): Promise<boolean> {
      const [made] = await db.batch([
        inserted(key, fewer(key.accountId, change.now, most)),
        recorded(db, change),
      ]);
      return made.length === 1;
    },

    /**
     * Adds a key in place of another one, which works until `until`.
     * @returns false, with nothing changed, if the other one no longer works, the account has `most` keys that work, or a key of the same
     * label was made after `since`
     */
    async roll(
      change: Change,
      id: string,
      key: NewKey,
      { until, since, most }: { until: number; since: number; most: number },
    ): Promise<boolean> {
      const { accountId, now } = change;
      const works = sql`exists (select 1 from ${keys} where ${and(own(accountId, id), keyIsValid(now))})
        and not exists (select 1 from ${keys} where ${newer(accountId, key.label, since, now)})`;
      const made = sql`exists (select 1 from ${keys} as made where made.id = ${key.id})`;
      const [added] = await db.batch([
        inserted(key, sql`${works} and ${fewer(accountId, now, most)}`),
        recorded(db, change),
        db
          .update(keys)
          .set({
            expiresAt: sql`min(coalesce(${keys.expiresAt}, ${until}), ${until})`,
            lifetime: sql`case when ${keys.expiresAt} is null then ${NEVER} else ${keys.lifetime} end`,
          })
          .where(and(own(accountId, id), keyIsValid(now), made)),
      ]);
      return added.length === 1;
    },

    async revoke(change: Change, id: string): Promise<boolean> {
      const [revoked] = await db.batch([
        db
          .update(keys)
          .set({ revokedAt: change.now })
          .where(and(own(change.accountId, id), isNull(keys.revokedAt)))
          .returning({ id: keys.id }),
        recorded(db, change),
      ]);
      return revoked.length === 1;
    },
  };
}
