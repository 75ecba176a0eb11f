import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { invitations, members, people } from '../../../drizzle/people.ts';
import { accounts } from '../../../drizzle/tables.ts';
import { DAY_MS } from '../../../schema/time.ts';
import { type Change, recorded } from './audit.ts';
import { type DueMail, writtenMails } from './due-mails.ts';

export type Role = 'owner' | 'member';
export type Invitation = typeof invitations.$inferSelect;
export interface Member {
  personId: string;
  email: string;
  role: Role;
  createdAt: number;
}

/** An account as one of its members sees it. */
export interface Membership {
  account: typeof accounts.$inferSelect;
  role: Role;
}

export function membersRepo(db: DrizzleD1Database) {
  const ofPerson = (accountId: string, personId: string) =>
    and(eq(members.accountId, accountId), eq(members.personId, personId));
  /** Another owner remains. */
  const anotherOwner = (accountId: string, personId: string) => sql`exists (
    select 1 from members as other
    where other.account_id = ${accountId} and other.role = 'owner' and other.person_id <> ${personId})`;

  return {
    /** Null if the person is no member of the account. */
    async find(accountId: string, personId: string): Promise<Membership | null> {
      const rows = await db
        .select({ account: accounts, role: members.role })
        .from(members)
        .innerJoin(accounts, eq(accounts.id, members.accountId))
        .where(ofPerson(accountId, personId))
        .limit(1);
      return rows[0] ?? null;
    },

    /** The accounts of a person, oldest membership first. */
    async accountsOf(personId: string): Promise<Membership[]> {
      return db
        .select({ account: accounts, role: members.role })
        .from(members)
        .innerJoin(accounts, eq(accounts.id, members.accountId))
        .where(eq(members.personId, personId))
        .orderBy(asc(members.createdAt), asc(members.accountId));
    },

    async list(accountId: string): Promise<Member[]> {
      return db
        .select({
          personId: members.personId,
          email: people.email,
          role: members.role,
          createdAt: members.createdAt,
        })
        .from(members)
        .innerJoin(people, eq(people.id, members.personId))
        .where(eq(members.accountId, accountId))
        .orderBy(asc(members.createdAt), asc(people.email));
    },

    /** The addresses of the owners, with the name of the account. */
    async owners(accountId: string): Promise<{ email: string; account: string }[]> {
      return db
        .select({ email: people.email, account: accounts.name })
        .from(members)
        .innerJoin(people, eq(people.id, members.personId))
        .innerJoin(accounts, eq(accounts.id, members.accountId))
        .where(and(eq(members.accountId, accountId), eq(members.role, 'owner')))
        .orderBy(asc(members.createdAt), asc(people.email));
    },

    /** @returns false, with nothing changed, if the person is no member or is the last owner */
    async setRole(change: Change, personId: string, role: Role): Promise<boolean> {
      const { accountId } = change;
      const [changed] = await db.batch([
        db
          .update(members)
          .set({ role })
          .where(
            and(
              ofPerson(accountId, personId),
              role === 'owner' ? undefined : anotherOwner(accountId, personId),
            ),
          )
          .returning({ id: members.personId }),
        recorded(db, change),
      ]);
      return changed.length === 1;
    },

    /** @returns false, with nothing changed, if the person is no member or is the last owner */
    async remove(change: Change, personId: string): Promise<boolean> {
      const { accountId } = change;
      const [removed] = await db.batch([
        db
          .delete(members)
          .where(and(ofPerson(accountId, personId), anotherOwner(accountId, personId)))
          .returning({ id: members.personId }),
        recorded(db, change),
      ]);
      return removed.length === 1;
    },

    async invitations(accountId: string, now: number): Promise<Invitation[]> {
      return db
        .select()
        .from(invitations)
        .where(and(eq(invitations.accountId, accountId), gt(invitations.expiresAt, now)))
        .orderBy(asc(invitations.createdAt));
    },

    /** What a person is invited to, with the names of the accounts. */
    async invitationsFor(email: string, now: number): Promise<{ invitation: Invitation; account: string }[]> {
      return db
        .select({ invitation: invitations, account: accounts.name })
        .from(invitations)
        .innerJoin(accounts, eq(accounts.id, invitations.accountId))
        .where(and(eq(invitations.email, email), gt(invitations.expiresAt, now)))
        .orderBy(asc(invitations.createdAt));
    },

    /**
     * Replaces an earlier invitation of the same address, and writes its mails.
     * @returns false, with nothing changed, if the address is a member's, or the account has `most.open` other invitations or has sent
     * `most.daily` in a day
     */
    async invite(
      change: Change,
      row: Invitation,
      most: { open: number; daily: number },
      mails: readonly DueMail[],
    ): Promise<boolean> {
      const { id, accountId, email, role, invitedBy, createdAt, expiresAt } = row;
      const allowed = sql`
        (select count(*) from invitations as other
          where other.account_id = ${accountId} and other.email <> ${email}) < ${most.open}
        and (select count(*) from audit_events where account_id = ${accountId}
          and action = 'member.invited' and created_at > ${createdAt - DAY_MS}) < ${most.daily}
        and not exists (
          select 1 from members join people on people.id = members.person_id
          where members.account_id = ${accountId} and people.email = ${email})`;
      const [, made] = await db.batch([
        db
          .delete(invitations)
          .where(and(eq(invitations.accountId, accountId), eq(invitations.email, email), allowed)),
        db
          .insert(invitations)
          .select(
            sql`
              select ${id}, ${accountId}, ${email}, ${role}, ${invitedBy}, ${createdAt}, ${expiresAt}
              where ${allowed}`,
          )
          .returning({ id: invitations.id }),
        ...writtenMails(db, mails),
        recorded(db, change),
      ]);
      return made.length === 1;
    },

    async withdraw(change: Change, id: string): Promise<boolean> {
      const [removed] = await db.batch([
        db
          .delete(invitations)
          .where(and(eq(invitations.id, id), eq(invitations.accountId, change.accountId)))
          .returning({ id: invitations.id }),
        recorded(db, change),
      ]);
      return removed.length === 1;
    },

    /** Makes the invited person a member of the account. @returns false if the invitation is not theirs or no longer valid */
    async accept(id: string, person: { id: string; email: string }, change: Change): Promise<boolean> {
      const { now, accountId } = change;
      const [joined] = await db.batch([
        db
          .insert(members)
          .select(
            sql`select account_id, ${person.id}, role, ${now} from invitations
                where id = ${id} and account_id = ${accountId} and email = ${person.email} and expires_at > ${now}`,
          )
          .onConflictDoNothing()
          .returning({ accountId: members.accountId }),
        recorded(db, change),
        db.delete(invitations).where(and(eq(invitations.id, id), eq(invitations.email, person.email))),
      ]);
      return joined.length === 1;
    },

    async decline(id: string, email: string): Promise<void> {
      await db.delete(invitations).where(and(eq(invitations.id, id), eq(invitations.email, email)));
    },

    async removeExpiredInvitations(now: number): Promise<void> {
      await db.delete(invitations).where(lte(invitations.expiresAt, now));
    },
  };
}
