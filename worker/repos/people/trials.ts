import { eq, lte, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { trials } from '../../../drizzle/people.ts';

/** The free trials that addresses have had. They stay when the person is deleted; only a hash of the address is stored. */
export function trialsRepo(db: DrizzleD1Database) {
  return {
    async had(address: string): Promise<boolean> {
      return (await db.select().from(trials).where(eq(trials.address, address)).limit(1)).length === 1;
    },

    /** After a change of address: the new one has had the trial of the old one. */
    async follow(from: string, to: string): Promise<void> {
      await db
        .insert(trials)
        .select(sql`select ${to}, created_at from trials where address = ${from}`)
        .onConflictDoNothing();
    },

    async removeBefore(time: number): Promise<void> {
      await db.delete(trials).where(lte(trials.createdAt, time));
    },
  };
}
