import { newId } from '../../../schema/task/ids.ts';
import { DAY_MS } from '../../../schema/time.ts';
import { confirmed, confirmedGone } from '../../lib/outage.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Also } from '../../repos/also.ts';
import { type AuditRow, type Change, recording } from '../../repos/people/audit.ts';
import type { Invitation, Member, Role } from '../../repos/people/members.ts';
import type { Person } from '../../repos/people/people.ts';
import { dueMails, queueDue } from '../mail/due-mails.ts';
import type { Browser } from '../sign-in/browser.ts';
import { emailAddress } from '../sign-in/email-address.ts';
import { noteChallenge } from '../sign-in/note-challenge.ts';
import { makeToken } from '../sign-in/secrets.ts';

const INVITATION_MS = 7 * DAY_MS;
/** Invitations of an account: open ones, and mails in 24 hours, also where they were withdrawn. */
export const MAX_INVITATIONS = { open: 20, daily: 40 };
const EVENTS_SHOWN = 100;

/** Somebody who acts for an account. */
export interface Actor {
  accountId: string;
  person: Person;
}

const changeBy = ({ accountId, person }: Actor, action: Change['action'], subject: string): Change => ({
  ...{ accountId, actor: person.email, action, subject },
  now: Date.now(),
});

export function listMembers({ members }: PeopleContext, accountId: string): Promise<Member[]> {
  return members.list(accountId);
}

export function listInvitations({ members }: PeopleContext, accountId: string): Promise<Invitation[]> {
  return members.invitations(accountId, Date.now());
}

/** Records a change that was made outside the database of people. */
export function noteChange(
  { audit }: PeopleContext,
  actor: Actor,
  action: Change['action'],
  subject = '',
): Promise<void> {
  return audit.add(changeBy(actor, action, subject));
}

/** The record of a change that another part of the service makes, for it to write in the same step. */
export const changeNote = (actor: Actor, action: Change['action'], subject = ''): Also =>
  recording(changeBy(actor, action, subject));

/**
 * A page of who did what to the account, newest first.
 * @param before id of the last event of the page before; none for the first page
 * @returns `next`, the same for the page after this one; null if there is none
 */
export async function auditLog(
  { audit }: PeopleContext,
  accountId: string,
  before: string | undefined,
): Promise<{ events: AuditRow[]; next: string | null }> {
  const rows = await audit.list(accountId, EVENTS_SHOWN + 1, before);
  const events = rows.slice(0, EVENTS_SHOWN);
  return { events, next: rows.length > EVENTS_SHOWN ? (events.at(-1)?.id ?? null) : null };
}

/**
 * Mails an invitation; an earlier one of the same address is replaced.
 * @returns false if the text is no address, belongs to a member, or there are too many invitations of the account, to this address or by
 * this client
 */
export async function invite(
  context: PeopleContext,
  actor: Actor,
  { email: text, role, account }: { email: string; role: Role; account: string },
  browser: Browser,
): Promise<boolean> {
  const email = emailAddress(text);
  if (!email || !(await mayMail(context, email, browser))) return false;
  const change = changeBy(actor, 'member.invited', email);
  const expiresAt = change.now + INVITATION_MS;
  const { accountId, person } = actor;
  const link = `${context.config.PUBLIC_URL}/app`;
  const content = { kind: 'invitation', to: email, account, invitedBy: person.email, link } as const;
  const mails = await dueMails(context, [content], { now: change.now, expiresAt });
  const id = newId('invitation', change.now);
  const row = { id, accountId, email, role, invitedBy: person.email, createdAt: change.now, expiresAt };
  const invited = await confirmed(
    () => context.members.invite(change, row, MAX_INVITATIONS, mails),
    async () => (await listInvitations(context, accountId)).some((one) => one.id === id) || null,
  );
  await queueDue(context, mails);
  return invited;
}

/** Counts a mail to the address. Invitations of an account end with it, so their limits do not protect an address. */
async function mayMail(context: PeopleContext, email: string, browser: Browser): Promise<boolean> {
  const now = Date.now();
  const about = { purpose: 'invitation', email, codeHash: null, next: '' } as const;
  const secretHash = await context.hash('link', makeToken());
  const times = { createdAt: now, expiresAt: now };
  return noteChallenge(context, { id: newId('challenge', now), ...about, secretHash, ...times }, browser);
}

/** @returns false if the account has no such invitation */
export async function withdrawInvitation(context: PeopleContext, actor: Actor, id: string): Promise<boolean> {
  const open = await context.members.invitations(actor.accountId, Date.now());
  const email = open.find((invitation) => invitation.id === id)?.email;
  if (email === undefined) return false;
  return confirmedGone(
    () => context.members.withdraw(changeBy(actor, 'member.invitation_withdrawn', email), id),
    async () => (await listInvitations(context, actor.accountId)).find((one) => one.id === id) ?? null,
  );
}

async function memberOf({ members }: PeopleContext, accountId: string, personId: string) {
  return (await members.list(accountId)).find((member) => member.personId === personId) ?? null;
}

export type MemberChange = 'done' | 'no_member' | 'last_owner';

/** Ends the access of a member at once. Keys stay, because they belong to the account. */
export async function removeMember(
  context: PeopleContext,
  actor: Actor,
  personId: string,
): Promise<MemberChange> {
  const member = await memberOf(context, actor.accountId, personId);
  if (!member) return 'no_member';
  const removed = await confirmedGone(
    () => context.members.remove(changeBy(actor, 'member.removed', member.email), personId),
    () => memberOf(context, actor.accountId, personId),
  );
  return removed ? 'done' : 'last_owner';
}

export async function changeRole(
  context: PeopleContext,
  actor: Actor,
  personId: string,
  role: Role,
): Promise<MemberChange> {
  const member = await memberOf(context, actor.accountId, personId);
  if (!member) return 'no_member';
  const change = changeBy(actor, 'member.role_changed', `${member.email}: ${role}`);
  return (await context.members.setRole(change, personId, role)) ? 'done' : 'last_owner';
}
