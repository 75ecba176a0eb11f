import { and, eq, gt, isNull, lte, or, type Placeholder } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { accounts, keys } from '../../drizzle/tables.ts';
import type { PlanName } from '../../schema/api/plans.ts';

/** An account that asks for something, by a key or in the dashboard. */
export interface Caller {
  accountId: string;
  plan: PlanName;
  subscription: 'active' | 'inactive';
}

/** A caller with the key it used. */
export interface Principal extends Caller {
  keyId: string;
  lastUsedAt: number | null;
  /** Creations left as of the latest one, and when all tokens are back. */
  rateRemaining: number | null;
  rateResetAt: number | null;
}

export const principalColumns = {
  accountId: accounts.id,
  keyId: keys.id,
  plan: accounts.plan,
  subscription: accounts.subscription,
  lastUsedAt: keys.lastUsedAt,
  rateRemaining: accounts.rateRemaining,
  rateResetAt: accounts.rateResetAt,
};

/** Whether a key works at a time. */
export const keyIsValid = (now: number | Placeholder) =>
  and(isNull(keys.revokedAt), or(isNull(keys.expiresAt), gt(keys.expiresAt, now)));

export function keysRepo(db: DrizzleD1Database) {
  return {
    /** The account that a key hash belongs to; null for an unknown, revoked or expired key. */
    async findPrincipal(hash: string, now: number): Promise<Principal | null> {
      const rows = await db
        .select(principalColumns)
        .from(keys)
        .innerJoin(accounts, eq(accounts.id, keys.accountId))
        .where(and(eq(keys.hash, hash), keyIsValid(now)))
        .limit(1);
      return rows[0] ?? null;
    },

    /** Whether the key exists and is neither revoked nor expired. */
    async isActive(keyId: string, now: number): Promise<boolean> {
      const rows = await db
        .select({ id: keys.id })
        .from(keys)
        .where(and(eq(keys.id, keyId), keyIsValid(now)))
        .limit(1);
      return rows.length === 1;
    },

    /** Updates the time of a key's last use, unless it was updated after `before`. */
    async touch(keyId: string, now: number, before: number): Promise<void> {
      const stale = or(isNull(keys.lastUsedAt), lte(keys.lastUsedAt, before), gt(keys.lastUsedAt, now));
      await db
        .update(keys)
        .set({ lastUsedAt: now })
        .where(and(eq(keys.id, keyId), stale));
    },
  };
}
