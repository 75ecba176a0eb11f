import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { members, people, sessions } from '../../../drizzle/people.ts';
import { isOpen, used } from './challenges.ts';
import type { Person } from './people.ts';

export type Session = typeof sessions.$inferSelect;

export function sessionsRepo(db: DrizzleD1Database) {
  return {
    /**
     * Begins a session and ends the one that the browser had. Both happen only together with the use of the challenge that was proven, if
     * there is one, so what a person proved is used up by nothing else.
     * @returns false, with nothing written, if the challenge is used or expired
     */
    async begin(session: Session, endedHash: string, challengeId: string | null): Promise<boolean> {
      const { id, personId, hash, agent, place, createdAt, lastSeenAt, provenAt, expiresAt } = session;
      const begun = sql`exists (select 1 from sessions as begun where begun.id = ${id})`;
      // In the order of the table's columns.
      const [made] = await db.batch([
        db
          .insert(sessions)
          .select(
            sql`
              select ${id}, ${personId}, ${hash}, ${agent}, ${place}, ${createdAt}, ${lastSeenAt}, ${provenAt}, ${expiresAt}
              where ${challengeId === null ? sql`true` : isOpen(challengeId, createdAt)}`,
          )
          .returning({ id: sessions.id }),
        db.delete(sessions).where(and(eq(sessions.hash, endedHash), begun)),
        ...(challengeId === null ? [] : [used(db, challengeId, createdAt, begun)]),
      ]);
      return made.length === 1;
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

    /**
     * Notes that the person proved their identity, and uses up the challenge that they did it with, if there is one.
     * @returns false, with nothing changed, if the challenge is used or expired
     */
    async prove(id: string, now: number, challengeId: string | null): Promise<boolean> {
      const proves = challengeId === null ? undefined : isOpen(challengeId, now);
      const [proven] = await db.batch([
        db
          .update(sessions)
          .set({ provenAt: now })
          .where(and(eq(sessions.id, id), proves))
          .returning({ id: sessions.id }),
        ...(challengeId === null ? [] : [used(db, challengeId, now, sql`true`)]),
      ]);
      return proven.length === 1;
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

    async removeExpired(now: number): Promise<void> {
      await db.delete(sessions).where(lte(sessions.expiresAt, now));
    },
  };
}
