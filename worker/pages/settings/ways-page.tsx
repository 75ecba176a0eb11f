import { passkeyDomain } from '../../services/sign-in/passkey-domain.ts';
import { addPasskey, registrationOptions } from '../../services/sign-in/passkeys.ts';
import { disconnectGitHub, removePasskey } from '../../services/sign-in/ways.ts';
import { Form } from '../elements.tsx';
import { askedTooOften, PageError } from '../page-error.ts';
import type { PersonVisit } from '../visit.ts';

const MAX_LABEL = 60;

/** Asks the browser for a new passkey. */
export async function askForPasskey(visit: PersonVisit): Promise<Response> {
  const { context, signedIn, browser } = visit;
  if (!passkeyDomain(context)) throw new PageError(404, 'Not found', 'Passkeys need a domain name.');
  const create = await registrationOptions(context, signedIn.person, browser);
  if (create === null) throw askedTooOften();
  const body = (
    <>
      <h1>Add a passkey</h1>
      <p class="lead">Confirm in the window of your browser.</p>
      <Form visit={visit} action="/app/settings/passkeys" passkey={{ create }}>
        <input type="hidden" name="label" value={visit.field('label')} />
        <input type="hidden" name="answer" />
        <button type="submit">Ask again</button>
      </Form>
      <p>
        <a href="/app/settings">Back to the settings</a>
      </p>
    </>
  );
  return visit.page('Add a passkey', body, { scripts: ['passkey'] });
}

export async function savePasskey(visit: PersonVisit): Promise<Response> {
  const { context, signedIn, browser } = visit;
  const label =
    visit
      .field('label')
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_LABEL) || 'Passkey';
  if (!(await addPasskey(context, signedIn.person, label, visit.field('answer'), browser))) {
    throw new PageError(422, 'The passkey was not added', 'Try again. You can have at most 20.');
  }
  return visit.redirect('/app/settings');
}

export async function forgetPasskey(visit: PersonVisit): Promise<Response> {
  const removed = await removePasskey(visit.context, visit.signedIn.person, visit.param('passkey'));
  if (!removed) throw new PageError(404, 'Not found', 'You have no such passkey.');
  return visit.redirect('/app/settings');
}

export async function forgetGitHub(visit: PersonVisit): Promise<Response> {
  await disconnectGitHub(visit.context, visit.signedIn.person);
  return visit.redirect('/app/settings');
}
