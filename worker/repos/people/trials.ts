import { eq, lte } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { trials } from '../../../drizzle/people.ts';

/** The free trials that addresses have had. They stay when the person is deleted; only a hash of the address is stored. */
export function trialsRepo(db: DrizzleD1Database) {
  return {
    async had(address: string): Promise<boolean> {
      return (await db.select().from(trials).where(eq(trials.address, address)).limit(1)).length === 1;
    },

    async removeBefore(time: number): Promise<void> {
      await db.delete(trials).where(lte(trials.createdAt, time));
    },
  };
}
