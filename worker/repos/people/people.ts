import { and, eq, gt, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import {
  auditEvents,
  identities,
  invitations,
  members,
  people,
  sessions,
  trials,
} from '../../../drizzle/people.ts';
import { accounts } from '../../../drizzle/tables.ts';
import type { PlanName } from '../../../schema/api/plans.ts';
import { idHead, newId } from '../../../schema/task/ids.ts';
import { isOpen, used } from './challenges.ts';
import { type DueMail, writtenMails } from './due-mails.ts';

export type Person = typeof people.$inferSelect;
export type Identity = typeof identities.$inferSelect;

/** The account that a new person gets. */
export interface FirstAccount {
  plan: PlanName;
  subscription: 'active' | 'inactive';
  trialEndsAt: number | null;
  /** Hash of the address, under which the trial is remembered. */
  trialOf: string;
}

/** What changes with the address of a person. */
export interface AddressChange {
  /** The session that goes on. */
  sessionId: string;
  /** What proved both addresses. */
  challengeIds: readonly string[];
  /** The addresses in the form in which trials are remembered. */
  trial: { from: string; to: string };
  mails: readonly DueMail[];
  now: number;
}

export function peopleRepo(db: DrizzleD1Database) {
  const byEmail = async (email: string): Promise<Person | null> => {
    const rows = await db.select().from(people).where(eq(people.email, email)).limit(1);
    return rows[0] ?? null;
  };

  /** Remembers the free trial of a new account, if it was made and has one. */
  /** The statements that make the first account of a person, if `condition` is true. */
  function firstAccount(
    accountId: string,
    { id, email }: Pick<Person, 'id' | 'email'>,
    first: FirstAccount,
    condition: SQL,
    now: number,
  ) {
    const made = sql`from accounts where id = ${accountId}`;
    // In the order of the tables' columns.
    return [
      db.insert(accounts).select(sql`
        select ${accountId}, ${email}, ${first.plan}, ${first.subscription}, null, null, ${now}, ${first.trialEndsAt}, null
        where ${condition}`),
      db.insert(members).select(sql`select id, ${id}, 'owner', ${now} ${made}`),
      db.insert(auditEvents).select(sql`
        select ${newId('audit_event', now)}, id, ${email}, 'account.created', name, ${now} ${made}`),
      db
        .insert(trials)
        .select(sql`select ${first.trialOf}, ${now} ${made} and trial_ends_at is not null`)
        .onConflictDoNothing(),
    ] as const;
  }

  return {
    byEmail,

    /**
     * The person with this address, who is created on the first sign-in: with an account, unless an invitation is waiting.
     * Two first sign-ins at once create one person and one account.
     */
    async ensure(email: string, first: FirstAccount, now: number): Promise<Person> {
      const known = await byEmail(email);
      if (known) return known;
      const id = newId('person', now);
      const accountId = newId('account', now);
      const isNew = sql`exists (select 1 from people where id = ${id})`;
      const isInvited = sql`exists (
        select 1 from invitations where email = ${email} and ${gt(invitations.expiresAt, now)})`;
      await db.batch([
        db.insert(people).values({ id, email, createdAt: now }).onConflictDoNothing(),
        ...firstAccount(accountId, { id, email }, first, sql`${isNew} and not ${isInvited}`, now),
      ]);
      const person = await byEmail(email);
      if (!person) throw new Error('the person was deleted while signing in');
      return person;
    },

    /** Creates an account for a person who has none. @returns its id; null if the person is a member of an account */
    async addFirstAccount(person: Person, first: FirstAccount, now: number): Promise<string | null> {
      const accountId = newId('account', now);
      const hasNone = sql`not exists (select 1 from members where person_id = ${person.id})`;
      await db.batch(firstAccount(accountId, person, first, hasNone, now));
      const rows = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId));
      return rows[0]?.id ?? null;
    },

    /** Makes the subscription inactive where the trial is over, and records it. */
    async endTrials(now: number): Promise<void> {
      const isOver = lte(accounts.trialEndsAt, now);
      await db.batch([
        // In the order of the table's columns.
        db.insert(auditEvents).select(sql`
          select ${idHead('audit_event', now)} || lower(hex(randomblob(8))), ${accounts.id}, 'Spool',
            'subscription.changed', ${accounts.plan} || ', inactive', ${now}
          from ${accounts} where ${isOver} and ${accounts.subscription} = 'active'`),
        db.update(accounts).set({ subscription: 'inactive', trialEndsAt: null }).where(isOver),
      ]);
    },

    /**
     * Changes an address: the free trial of the old one follows, all other sessions end, the challenges of both are used up, and `mails` are
     * written.
     * @returns false, with nothing changed, if a challenge is used or expired, or the new address belongs to another person
     */
    async changeEmail(
      { id, email }: Person,
      to: string,
      { sessionId, challengeIds, trial, mails, now }: AddressChange,
    ): Promise<boolean> {
      const allowed = challengeIds.map((challenge) => isOpen(challenge, now));
      const changed = sql`exists (select 1 from people as changed where changed.id = ${id} and changed.email = ${to})`;
      const [moved] = await db.batch([
        db
          .update(people)
          .set({ email: to })
          .where(
            and(
              eq(people.id, id),
              eq(people.email, email),
              sql`not exists (select 1 from people where email = ${to})`,
              ...allowed,
            ),
          )
          .returning({ id: people.id }),
        ...writtenMails(db, mails),
        db
          .insert(trials)
          .select(
            sql`select ${trial.to}, created_at from trials where address = ${trial.from} and ${changed}`,
          )
          .onConflictDoNothing(),
        db.delete(sessions).where(and(eq(sessions.personId, id), ne(sessions.id, sessionId), changed)),
        ...challengeIds.map((challenge) => used(db, challenge, now, changed)),
      ]);
      return moved.length === 1;
    },

    async byIdentity(provider: Identity['provider'], subject: string): Promise<Person | null> {
      const rows = await db
        .select({ person: people })
        .from(identities)
        .innerJoin(people, eq(people.id, identities.personId))
        .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
        .limit(1);
      return rows[0]?.person ?? null;
    },

    async identities(personId: string): Promise<Identity[]> {
      return db.select().from(identities).where(eq(identities.personId, personId));
    },

    /** @returns false if it is connected to another person */
    async connect(identity: Identity): Promise<boolean> {
      const rows = await db
        .insert(identities)
        .values(identity)
        .onConflictDoUpdate({
          target: [identities.provider, identities.subject],
          set: { label: identity.label },
          setWhere: eq(identities.personId, identity.personId),
        })
        .returning({ personId: identities.personId });
      return rows.length === 1;
    },

    async disconnect(personId: string, provider: Identity['provider']): Promise<void> {
      await db
        .delete(identities)
        .where(and(eq(identities.personId, personId), eq(identities.provider, provider)));
    },
  };
}
