import { and, desc, eq, gt, lte, ne } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { members, people, sessions } from '../../../drizzle/people.ts';
import type { Person } from './people.ts';

export type Session = typeof sessions.$inferSelect;

export function sessionsRepo(db: DrizzleD1Database) {
  return {
    async create(session: Session): Promise<void> {
      await db.insert(sessions).values(session);
    },

    /** Null if the session has ended or expired. */
    async find(hash: string, now: number): Promise<{ session: Session; person: Person } | null> {
      const rows = await db
        .select({ session: sessions, person: people })
        .from(sessions)
        .innerJoin(people, eq(people.id, sessions.personId))
        .where(and(eq(sessions.hash, hash), gt(sessions.expiresAt, now)))
        .limit(1);
      return rows[0] ?? null;
    },

    /** Whether a session goes on and its person is a member of the account. */
    async reaches(id: string, accountId: string, now: number): Promise<boolean> {
      const isMember = and(eq(members.personId, sessions.personId), eq(members.accountId, accountId));
      const rows = await db
        .select({ id: sessions.id })
        .from(sessions)
        .innerJoin(members, isMember)
        .where(and(eq(sessions.id, id), gt(sessions.expiresAt, now)))
        .limit(1);
      return rows.length === 1;
    },

    /** Latest use first. */
    async list(personId: string, now: number): Promise<Session[]> {
      return db
        .select()
        .from(sessions)
        .where(and(eq(sessions.personId, personId), gt(sessions.expiresAt, now)))
        .orderBy(desc(sessions.lastSeenAt));
    },

    async touch(id: string, now: number): Promise<void> {
      await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
    },

    /** Notes that the person proved their identity. */
    async prove(id: string, now: number): Promise<void> {
      await db.update(sessions).set({ provenAt: now }).where(eq(sessions.id, id));
    },

    /** @returns false if the person has no such session */
    async end(personId: string, id: string): Promise<boolean> {
      const ended = await db
        .delete(sessions)
        .where(and(eq(sessions.id, id), eq(sessions.personId, personId)))
        .returning({ id: sessions.id });
      return ended.length === 1;
    },

    async endOthers(personId: string, id: string): Promise<void> {
      await db.delete(sessions).where(and(eq(sessions.personId, personId), ne(sessions.id, id)));
    },

    async endByHash(hash: string): Promise<void> {
      await db.delete(sessions).where(eq(sessions.hash, hash));
    },

    async removeExpired(now: number): Promise<void> {
      await db.delete(sessions).where(lte(sessions.expiresAt, now));
    },
  };
}
