import { confirmedGone } from '../../lib/outage.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Passkey } from '../../repos/people/passkeys.ts';
import type { Identity, Person } from '../../repos/people/people.ts';

/** How a person can sign in, in addition to mail. */
export async function waysToSignIn(
  { passkeys, people }: PeopleContext,
  { id }: Person,
): Promise<{ passkeys: Passkey[]; identities: Identity[] }> {
  return { passkeys: await passkeys.list(id), identities: await people.identities(id) };
}

/** @returns false if the person has no such passkey */
export function removePasskey({ passkeys }: PeopleContext, person: Person, id: string): Promise<boolean> {
  return confirmedGone(
    () => passkeys.remove(person.id, id),
    () => passkeys.find(id),
  );
}

export function disconnectGitHub({ people }: PeopleContext, person: Person): Promise<void> {
  return people.disconnect(person.id, 'github');
}
