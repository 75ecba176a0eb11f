import type { Context } from '../../context.ts';
import { log } from '../../lib/log.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Membership } from '../../repos/people/members.ts';
import type { Person } from '../../repos/people/people.ts';
import { startDeletion } from './continue-deletion.ts';

/** What the deletion of a person does to accounts. */
export interface Consequences {
  /** Accounts of others in which the person is the only owner: they prevent the deletion. */
  inNeed: { id: string; name: string }[];
  /** Accounts without another member, which are deleted with the person. */
  own: Membership['account'][];
}

export async function consequencesFor(
  { deletions, members }: PeopleContext,
  { id }: Person,
): Promise<Consequences> {
  const inNeed = await deletions.accountsInNeed(id);
  const own: Membership['account'][] = [];
  for (const { account } of await members.accountsOf(id)) {
    if ((await members.list(account.id)).length === 1) own.push(account);
  }
  return { inNeed, own };
}

/** @returns false, with nothing changed, if an account of other people would be left without an owner */
export async function deletePerson(context: PeopleContext, core: Context, person: Person): Promise<boolean> {
  // Somebody may have joined an account since the person was shown which are deleted.
  const marked = await context.deletions.deletePerson(person, Date.now());
  if (marked === null) return false;
  log('info', 'person_deleted', { person_id: person.id });
  for (const id of marked) await startDeletion({ ...context, core }, id);
  return true;
}
