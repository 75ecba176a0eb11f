import { type Consequences, consequencesFor, deletePerson } from '../../services/deletion/delete-person.ts';
import { Notice } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { PersonVisit } from '../visit.ts';
import { ConfirmForm, isConfirmed } from './confirm-form.tsx';

export const askAboutPerson = async (visit: PersonVisit) =>
  personPage(visit, await consequencesFor(visit.context, visit.signedIn.person), false);

function personPage(visit: PersonVisit, { inNeed, own }: Consequences, wrong: boolean): Response {
  const { email } = visit.signedIn.person;
  const isRefused = inNeed.length > 0;
  const body = (
    <>
      <h1>Delete your profile</h1>
      <p class="lead">
        Your sessions, passkeys, connected accounts and memberships are deleted. Logs of accounts that you
        were a member of keep your address.
      </p>
      {isRefused ? (
        <Notice kind="error">
          You are the only owner of these accounts. Make another member an owner of each, or delete it:{' '}
          {inNeed.map(({ id, name }, index) => (
            <>
              {index === 0 ? '' : ', '}
              <a href={`/app/${id}/members`}>{name}</a>
            </>
          ))}
        </Notice>
      ) : null}
      {own.length === 0 ? null : (
        <p>
          These accounts have no other member and are deleted with your profile, including all tasks and
          files: <strong>{own.map(({ name }) => name).join(', ')}</strong>.
        </p>
      )}
      <p>
        To keep a copy, <a href="/app/settings/export">download your data</a> first.
      </p>
      {isRefused ? null : (
        <ConfirmForm
          visit={visit}
          action="/app/settings/delete"
          name={email}
          what={own.length === 0 ? 'my profile' : 'my profile and these accounts'}
          wrong={wrong}
        />
      )}
    </>
  );
  return visit.page('Delete your profile', body, wrong ? { status: 422 } : {});
}

export async function removePerson(visit: PersonVisit): Promise<Response> {
  const { context, core, signedIn } = visit;
  const consequences = await consequencesFor(context, signedIn.person);
  if (!isConfirmed(visit, signedIn.person.email)) return personPage(visit, consequences, true);
  if (await deletePerson(context, core, signedIn.person)) return visit.exit('/app/sign-in');
  throw new PageError(
    409,
    'An account needs you',
    'You are the only owner of an account with other members. Make another member an owner, or delete the account.',
  );
}
