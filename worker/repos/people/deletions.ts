import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import {
  accountDeletions,
  auditEvents,
  billing,
  challenges,
  invitations,
  members,
  people,
} from '../../../drizzle/people.ts';
import {
  accounts,
  archiveChunks,
  keys,
  limitNotices,
  tasks,
  usageDays,
  webhookDeliveries,
  webhookEndpoints,
  webhookSecrets,
} from '../../../drizzle/tables.ts';
import { idHead } from '../../../schema/task/ids.ts';
import { liveStatuses } from '../../../schema/task/task.ts';
import { isIn } from '../is-in.ts';
import type { TaskRow } from '../task-row.ts';
import { type DueMail, writtenMails } from './due-mails.ts';
import type { Person } from './people.ts';

export type Deletion = typeof accountDeletions.$inferSelect;

/** Tables whose rows are deleted as they are. Those that own objects have methods of their own. */
const plainTables = {
  webhookDeliveries,
  webhookEndpoints,
  webhookSecrets,
  usageDays,
  limitNotices,
  invitations,
  members,
  auditEvents,
  billing,
  keys,
} as const;
export type PlainTable = keyof typeof plainTables;
export const plainTableNames = Object.keys(plainTables) as PlainTable[];

const fileKeys = sql<string>`coalesce(
  (select json_group_array(value ->> 'key') from json_each(${tasks.result}, '$.files')), '[]')`;

export function deletionsRepo(db: DrizzleD1Database) {
  /** What ends at once when the deletion of these accounts begins. */
  const closed = (which: SQL, now: number) =>
    [
      db
        .update(keys)
        .set({ revokedAt: now })
        .where(and(sql`${keys.accountId} in ${which}`, isNull(keys.revokedAt))),
      db
        .update(accounts)
        .set({ subscription: 'inactive', trialEndsAt: null })
        .where(sql`${accounts.id} in ${which}`),
      db.delete(invitations).where(sql`${invitations.accountId} in ${which}`),
      db.delete(members).where(sql`${members.accountId} in ${which}`),
    ] as const;

  return {
    /** Marks an account for deletion, and ends its keys, memberships and invitations; the first time, writes these mails. */
    async begin(accountId: string, now: number, mails: readonly DueMail[]): Promise<void> {
      await db.batch([
        db.insert(accountDeletions).values({ accountId, begunAt: now, triedAt: now }).onConflictDoNothing(),
        ...writtenMails(db, mails),
        ...closed(sql`(${accountId})`, now),
      ]);
    },

    /** Accounts of other people that would have no owner without this person. */
    async accountsInNeed(personId: string): Promise<{ id: string; name: string }[]> {
      return db
        .select({ id: accounts.id, name: accounts.name })
        .from(accounts)
        .where(sql`${accounts.id} in ${inNeedOf(personId)}`)
        .orderBy(asc(accounts.name));
    },

    /**
     * Deletes a person with their sessions, passkeys, identities, memberships and invitations, and marks the accounts for deletion that
     * have no other member.
     * @returns the ids of these accounts; null, with nothing changed, if an account of other people would be left without an owner
     */
    async deletePerson({ id: personId, email }: Person, now: number): Promise<string[] | null> {
      const allowed = sql`not exists ${inNeedOf(personId)}`;
      const own = sql`(select account_id from members as mine where person_id = ${personId} and ${allowed}
        and not exists (select 1 from members as other
          where other.account_id = mine.account_id and other.person_id <> ${personId}))`;
      const marked = sql`(select account_id from account_deletions where account_id in ${own})`;
      const [endKeys, endAccounts, endInvitations] = closed(marked, now);
      const results = await db.batch([
        // In the order of the tables' columns.
        db
          .insert(accountDeletions)
          .select(sql`select account_id, ${now}, ${now} from ${own} where true`)
          .onConflictDoNothing()
          .returning({ id: accountDeletions.accountId }),
        endKeys,
        endAccounts,
        endInvitations,
        db.insert(auditEvents).select(sql`
          select ${idHead('audit_event', now)} || lower(hex(randomblob(8))), account_id, ${email},
            'member.removed', ${email}, ${now}
          from members where person_id = ${personId} and account_id not in ${own} and ${allowed}`),
        db.delete(invitations).where(and(eq(invitations.email, email), allowed)),
        db.delete(challenges).where(and(eq(challenges.email, email), allowed)),
        db
          .delete(people)
          .where(and(eq(people.id, personId), allowed))
          .returning({ id: people.id }),
      ]);
      return results[7].length === 1 ? results[0].map(({ id }) => id) : null;
    },

    /** Accounts whose deletion is not complete, the one that was left alone longest first. */
    async open(limit: number): Promise<Deletion[]> {
      return db.select().from(accountDeletions).orderBy(asc(accountDeletions.triedAt)).limit(limit);
    },

    /** @returns whether the account is marked for deletion */
    async noteTry(accountId: string, now: number): Promise<boolean> {
      const noted = await db
        .update(accountDeletions)
        .set({ triedAt: now })
        .where(eq(accountDeletions.accountId, accountId));
      return noted.meta.changes === 1;
    },

    async liveTasks(accountId: string, limit: number): Promise<string[]> {
      const rows = await db
        .select({ id: tasks.id })
        .from(tasks)
        .where(and(eq(tasks.accountId, accountId), inArray(tasks.status, liveStatuses)))
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    /** Ended tasks with the keys of the objects of their results. */
    async endedTasks(
      accountId: string,
      limit: number,
    ): Promise<(Pick<TaskRow, 'id'> & { keys: string[] })[]> {
      const rows = await db
        .select({ id: tasks.id, keys: fileKeys })
        .from(tasks)
        .where(and(eq(tasks.accountId, accountId), inArray(tasks.status, ['completed', 'failed'])))
        .limit(limit);
      return rows.map((row) => ({ id: row.id, keys: JSON.parse(row.keys) as string[] }));
    },

    async removeTasks(accountId: string, ids: readonly string[]): Promise<void> {
      await db.delete(tasks).where(and(eq(tasks.accountId, accountId), isIn(tasks.id, ids)));
    },

    /** The objects of the archive that may exist. */
    async archiveKeys(accountId: string, limit: number): Promise<string[]> {
      const rows = await db
        .select({ key: archiveChunks.key })
        .from(archiveChunks)
        .where(eq(archiveChunks.accountId, accountId))
        .limit(limit);
      return rows.map(({ key }) => key);
    },

    /** Deletes up to `limit` rows of a table. @returns how many */
    async removeRows(table: PlainTable, accountId: string, limit: number): Promise<number> {
      const of = plainTables[table];
      const some = sql`(select rowid from ${of} where ${of.accountId} = ${accountId} limit ${limit})`;
      return (await db.delete(of).where(sql`rowid in ${some}`)).meta.changes;
    },

    /** Deletes the account itself. Throws if another table still refers to it. */
    async finish(accountId: string): Promise<void> {
      await db.batch([
        db.delete(accountDeletions).where(eq(accountDeletions.accountId, accountId)),
        db.delete(accounts).where(eq(accounts.id, accountId)),
      ]);
    },
  };
}

/** Accounts with other members in which this person is the only owner. */
const inNeedOf = (personId: string) => sql`(
  select mine.account_id from members as mine
  where mine.person_id = ${personId} and mine.role = 'owner'
    and exists (select 1 from members as other
      where other.account_id = mine.account_id and other.person_id <> ${personId})
    and not exists (select 1 from members as other
      where other.account_id = mine.account_id and other.person_id <> ${personId} and other.role = 'owner'))`;
