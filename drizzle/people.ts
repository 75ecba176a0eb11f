import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { SubscriptionStatus } from '../schema/api/billing.ts';
import type { PlanName } from '../schema/api/plans.ts';
import { accounts } from './tables.ts';

/** Times are integers: milliseconds since the Unix epoch, UTC. */
const time = (name: string) => integer(name, { mode: 'number' });

/** A person exists once the address has been proven. */
export const people = sqliteTable('people', {
  id: text('id').primaryKey(),
  /** Lower case. */
  email: text('email').notNull().unique(),
  createdAt: time('created_at').notNull(),
});

const personId = () =>
  text('person_id')
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' });

export const members = sqliteTable(
  'members',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    personId: personId(),
    role: text('role', { enum: ['owner', 'member'] }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.personId] }),
    index('members_person').on(table.personId),
  ],
);

export const invitations = sqliteTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Lower case. */
    email: text('email').notNull(),
    role: text('role', { enum: ['owner', 'member'] }).notNull(),
    /** The address of the inviting person at that time. */
    invitedBy: text('invited_by').notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_once').on(table.accountId, table.email),
    index('invitations_email').on(table.email),
    index('invitations_expired').on(table.expiresAt),
  ],
);

export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    personId: personId(),
    /** Hash of the cookie. */
    hash: text('hash').notNull().unique(),
    /** Browser and system, such as `Firefox on Linux`. */
    agent: text('agent').notNull(),
    /** Town and country of the address it was created from; empty if unknown. */
    place: text('place').notNull(),
    createdAt: time('created_at').notNull(),
    lastSeenAt: time('last_seen_at').notNull(),
    /** When the person last proved their identity. */
    provenAt: time('proven_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('sessions_person').on(table.personId), index('sessions_expired').on(table.expiresAt)],
);

export type ChallengePurpose =
  | 'sign_in'
  | 'prove'
  | 'old_address'
  | 'new_address'
  | 'passkey'
  | 'github'
  /** Opens nothing: it counts the mail of an invitation. */
  | 'invitation';

/** Something that one browser was asked to prove, once and within minutes. Secrets are stored as hashes. */
export const challenges = sqliteTable(
  'challenges',
  {
    id: text('id').primaryKey(),
    purpose: text('purpose').$type<ChallengePurpose>().notNull(),
    /** Address that was mailed; null for passkeys and GitHub. */
    email: text('email'),
    /** Hash of the cookie of the browser that asked; empty for links of the operator. */
    browser: text('browser').notNull(),
    /** Hash of the client address that asked. */
    caller: text('caller').notNull(),
    /** Hash of the token of a link, the challenge of a passkey, or the state of GitHub. */
    secretHash: text('secret_hash').notNull().unique(),
    /** Hash of the six-digit code; null if there is none. */
    codeHash: text('code_hash'),
    /** Codes tried so far. */
    tries: integer('tries').notNull(),
    /** The page to open afterwards. */
    next: text('next').notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [
    index('challenges_browser').on(table.browser, table.purpose, table.createdAt),
    index('challenges_email').on(table.email, table.createdAt),
    index('challenges_caller').on(table.caller, table.createdAt),
    index('challenges_expired').on(table.expiresAt),
  ],
);

export const passkeys = sqliteTable(
  'passkeys',
  {
    /** Credential id, base64url. */
    id: text('id').primaryKey(),
    personId: personId(),
    label: text('label').notNull(),
    /** COSE public key, base64url. */
    publicKey: text('public_key').notNull(),
    /** Signature counter; passkeys that are synchronized keep it at 0. */
    counter: integer('counter').notNull(),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  (table) => [index('passkeys_person').on(table.personId)],
);

/** Accounts at other services that sign a person in. */
export const identities = sqliteTable(
  'identities',
  {
    provider: text('provider', { enum: ['github'] }).notNull(),
    /** Its id there, which does not change when the name does. */
    subject: text('subject').notNull(),
    personId: personId(),
    label: text('label').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    index('identities_person').on(table.personId),
  ],
);

/** What is known at Stripe of an account that has been to the payment page. */
export const billing = sqliteTable(
  'billing',
  {
    accountId: text('account_id')
      .primaryKey()
      .references(() => accounts.id),
    customerId: text('customer_id').notNull().unique(),
    /** Number of the latest request for the state at Stripe, and when it was made. */
    asked: integer('asked').notNull(),
    askedAt: time('asked_at').notNull(),
    /** Number of the request whose response is stored here, and when that was. A response to an older request is dropped. */
    seen: integer('seen').notNull(),
    seenAt: time('seen_at').notNull(),
    /** The subscription that decides; null, like all below, if there is none. */
    subscriptionId: text('subscription_id'),
    status: text('status').$type<SubscriptionStatus>(),
    plan: text('plan').$type<PlanName>(),
    /** End of the current period. */
    periodEndsAt: time('period_ends_at'),
    /** When it is going to be canceled; null if it renews. */
    endsAt: time('ends_at'),
    /** The `pay_by` of the failed payment that its owners were last notified of. */
    notifiedOf: time('notified_of'),
    /** The plan that it changes to at the end of the period; null if it keeps its plan. */
    nextPlan: text('next_plan').$type<PlanName>(),
  },
  (table) => [index('billing_seen').on(table.seenAt)],
);

/** The free trials that addresses have had: signing up again gives no second one. */
export const trials = sqliteTable(
  'trials',
  {
    /** Hash of the address. */
    address: text('address').primaryKey(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('trials_created').on(table.createdAt)],
);

export type AuditAction =
  | 'account.created'
  | 'member.invited'
  | 'member.invitation_withdrawn'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'key.created'
  | 'key.rolled'
  | 'key.revoked'
  | 'subscription.changed'
  | 'endpoint.created'
  | 'endpoint.removed'
  | 'webhook_secret.rotated'
  | 'data.exported';

/** Who did what to an account. */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Address of the person at that time. */
    actor: text('actor').notNull(),
    action: text('action').$type<AuditAction>().notNull(),
    /** What it was done to: an address, or the label of a key. */
    subject: text('subject').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('audit_events_account').on(table.accountId, table.id),
    index('audit_events_created').on(table.createdAt),
  ],
);

/**
 * Mails about changes, each written together with its change. A row is removed once its mail is in the queue: no mail is lost where
 * the queue fails.
 */
export const dueMails = sqliteTable(
  'due_mails',
  {
    id: text('id').primaryKey(),
    /** Content of the mail, sealed. */
    sealed: text('sealed').notNull(),
    createdAt: time('created_at').notNull(),
    /** When the mail becomes pointless. */
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('due_mails_created').on(table.createdAt)],
);

/** Accounts that are being deleted. The row goes with the account, so a deletion that was interrupted is found and continued. */
export const accountDeletions = sqliteTable(
  'account_deletions',
  {
    accountId: text('account_id')
      .primaryKey()
      .references(() => accounts.id),
    begunAt: time('begun_at').notNull(),
    /** When the deletion was last continued. */
    triedAt: time('tried_at').notNull(),
  },
  (table) => [index('account_deletions_tried').on(table.triedAt)],
);
