import { isoOrNull } from '../../../schema/time.ts';
import type { PeopleContext } from '../../people-context.ts';
import { accountsOf } from '../members/accounts.ts';
import type { SignedIn } from '../sign-in/find-session.ts';
import { listSessions } from '../sign-in/sessions.ts';
import { waysToSignIn } from '../sign-in/ways.ts';
import type { Part } from './json-stream.ts';

/** All that is stored of a person; secrets are left out. */
export async function* exportedPerson(
  context: PeopleContext,
  signedIn: SignedIn,
): AsyncGenerator<Part, void, undefined> {
  const { id, email, createdAt } = signedIn.person;
  yield { name: 'object', value: 'person_export' };
  yield { name: 'exported_at', value: isoOrNull(Date.now()) };
  yield { name: 'person', value: { id, email, created_at: isoOrNull(createdAt) } };
  yield {
    name: 'sessions',
    value: (await listSessions(context, signedIn)).map(({ agent, place, createdAt: begun, lastSeenAt }) => ({
      ...{ agent, place },
      created_at: isoOrNull(begun),
      last_seen_at: isoOrNull(lastSeenAt),
    })),
  };
  const { passkeys, identities } = await waysToSignIn(context, signedIn.person);
  yield {
    name: 'passkeys',
    value: passkeys.map((passkey) => ({
      label: passkey.label,
      created_at: isoOrNull(passkey.createdAt),
      last_used_at: isoOrNull(passkey.lastUsedAt),
    })),
  };
  yield {
    name: 'identities',
    value: identities.map(({ provider, label, createdAt: since }) => ({
      ...{ provider, label },
      created_at: isoOrNull(since),
    })),
  };
  const { accounts, invitations } = await accountsOf(context, signedIn.person);
  yield {
    name: 'accounts',
    value: accounts.map(({ account, role }) => ({ id: account.id, name: account.name, role })),
  };
  yield {
    name: 'invitations',
    value: invitations.map(({ invitation, account }) => ({
      ...{ account, role: invitation.role, invited_by: invitation.invitedBy },
      expires_at: isoOrNull(invitation.expiresAt),
    })),
  };
}
