import { asc, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { dueMails } from '../../../drizzle/people.ts';
import type { Also } from '../also.ts';

export type DueMail = typeof dueMails.$inferSelect;

/** Writes mails in the batch that makes a change: by default directly after its statement, and only if that changed a row. */
export const writtenMails = (
  db: DrizzleD1Database,
  mails: readonly DueMail[],
  when: SQL = sql`changes() > 0`,
) =>
  mails.map(({ id, sealed, createdAt, expiresAt }) =>
    // In the order of the table's columns.
    db.insert(dueMails).select(sql`select ${id}, ${sealed}, ${createdAt}, ${expiresAt} where ${when}`),
  );

/** The same, for a write of a repository that knows nothing of people. */
export const writingMails =
  (mails: readonly DueMail[]): Also =>
  (db) =>
    writtenMails(db, mails);

export function dueMailsRepo(db: DrizzleD1Database) {
  return {
    /** Of these mails, those that were written and are not in the queue yet. */
    async of(ids: readonly string[]): Promise<DueMail[]> {
      return db
        .select()
        .from(dueMails)
        .where(inArray(dueMails.id, [...ids]));
    },

    /** Mails that were written before, oldest first. */
    async writtenBefore(time: number, limit: number): Promise<DueMail[]> {
      return db
        .select()
        .from(dueMails)
        .where(lte(dueMails.createdAt, time))
        .orderBy(asc(dueMails.createdAt))
        .limit(limit);
    },

    async remove(id: string): Promise<void> {
      await db.delete(dueMails).where(sql`${dueMails.id} = ${id}`);
    },
  };
}
