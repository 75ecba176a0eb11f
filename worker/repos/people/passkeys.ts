import { and, asc, eq, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { passkeys, people } from '../../../drizzle/people.ts';
import type { Person } from './people.ts';

export type Passkey = typeof passkeys.$inferSelect;

export function passkeysRepo(db: DrizzleD1Database) {
  return {
    /** @returns false, with nothing written, if it is registered already or the person has `most` */
    async add(row: Omit<Passkey, 'lastUsedAt'>, most: number): Promise<boolean> {
      const { id, personId, label, publicKey, counter, createdAt } = row;
      const made = await db
        .insert(passkeys)
        .select(
          sql`
            select ${id}, ${personId}, ${label}, ${publicKey}, ${counter}, ${createdAt}, null
            where (select count(*) from passkeys where person_id = ${personId}) < ${most}`,
        )
        .onConflictDoNothing()
        .returning({ id: passkeys.id });
      return made.length === 1;
    },

    async find(id: string): Promise<{ passkey: Passkey; person: Person } | null> {
      const rows = await db
        .select({ passkey: passkeys, person: people })
        .from(passkeys)
        .innerJoin(people, eq(people.id, passkeys.personId))
        .where(eq(passkeys.id, id))
        .limit(1);
      return rows[0] ?? null;
    },

    async list(personId: string): Promise<Passkey[]> {
      return db
        .select()
        .from(passkeys)
        .where(eq(passkeys.personId, personId))
        .orderBy(asc(passkeys.createdAt));
    },

    async noteUse(id: string, counter: number, now: number): Promise<void> {
      await db.update(passkeys).set({ counter, lastUsedAt: now }).where(eq(passkeys.id, id));
    },

    async remove(personId: string, id: string): Promise<boolean> {
      const removed = await db
        .delete(passkeys)
        .where(and(eq(passkeys.id, id), eq(passkeys.personId, personId)))
        .returning({ id: passkeys.id });
      return removed.length === 1;
    },
  };
}
