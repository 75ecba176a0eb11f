import { confirmed } from '../../lib/outage.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Invitation, Membership } from '../../repos/people/members.ts';
import type { Person } from '../../repos/people/people.ts';
import { firstAccount } from '../sign-in/begin-session.ts';

/** The account as this person's; null if it is not, which looks the same as an account that does not exist. */
export function membershipOf(
  { members }: PeopleContext,
  accountId: string,
  person: Person,
): Promise<Membership | null> {
  return members.find(accountId, person.id);
}

/** The accounts of a person, and those they are invited to. */
export async function accountsOf(
  { members }: PeopleContext,
  person: Person,
): Promise<{ accounts: Membership[]; invitations: { invitation: Invitation; account: string }[] }> {
  return {
    accounts: await members.accountsOf(person.id),
    invitations: await members.invitationsFor(person.email, Date.now()),
  };
}

/** @returns the id of the account; null if the invitation is not for this person or no longer valid */
export async function acceptInvitation(
  { members }: PeopleContext,
  person: Person,
  id: string,
): Promise<string | null> {
  const { email } = person;
  const now = Date.now();
  const invited = (await members.invitationsFor(email, now)).find(({ invitation }) => invitation.id === id);
  if (!invited) return null;
  const { accountId } = invited.invitation;
  const joined = await confirmed(
    () =>
      members.accept(id, person, {
        ...{ accountId, actor: email, action: 'member.joined', subject: email },
        now,
      }),
    async () => (await members.find(accountId, person.id)) !== null || null,
  );
  return joined ? accountId : null;
}

export function declineInvitation({ members }: PeopleContext, person: Person, id: string): Promise<void> {
  return members.decline(id, person.email);
}

/** For an invited person who declined. @returns its id; null if the person already has one */
export async function createAccount(context: PeopleContext, person: Person): Promise<string | null> {
  const now = Date.now();
  return context.people.addFirstAccount(person, await firstAccount(context, person.email, now), now);
}
