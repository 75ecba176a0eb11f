import { askToChangeAddress, changeAddress } from '../../services/sign-in/change-address.ts';
import { emailAddress } from '../../services/sign-in/email-address.ts';
import { CodeField, Form, Notice } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { PersonVisit } from '../visit.ts';

export async function askForAddress(visit: PersonVisit): Promise<Response> {
  const email = emailAddress(visit.field('email'));
  if (!email || email === visit.signedIn.person.email) {
    throw new PageError(
      422,
      'This is no new address',
      'Enter another email address, such as ada@example.com.',
    );
  }
  if (!(await askToChangeAddress(visit.context, visit.signedIn, email, visit.browser)))
    throw new PageError(
      429,
      'Too many codes',
      'Not both codes were sent: one of the addresses, or your network, has had too many in the last hour. Wait an hour, then try again.',
    );
  return visit.redirect('/app/settings/address');
}

export function showAddress(visit: PersonVisit): Response {
  return addressPage(visit, null);
}

function addressPage(visit: PersonVisit, error: string | null): Response {
  const body = (
    <>
      <h1>Change your address</h1>
      <p class="lead">Your present address and the new one were each sent a code.</p>
      {error ? <Notice kind="error">{error}</Notice> : null}
      <Form visit={visit} action="/app/settings/address/confirm">
        <CodeField name="old_code" label={`Code sent to ${visit.signedIn.person.email}`} />
        <CodeField name="new_code" label="Code sent to the new address" />
        <button type="submit">Change the address</button>
      </Form>
    </>
  );
  return visit.page('Change your address', body, error ? { status: 422 } : {});
}

const errors = {
  wrong_code: 'At least one code is not valid. Start again in the settings to get new ones.',
  taken: 'The new address belongs to another person. Sign in with it, or choose another address.',
};

export async function confirmAddress(visit: PersonVisit): Promise<Response> {
  const codes = { old: visit.field('old_code'), new: visit.field('new_code') };
  const outcome = await changeAddress(visit.context, visit.signedIn, codes, visit.browser);
  return outcome === 'changed' ? visit.redirect('/app/settings') : addressPage(visit, errors[outcome]);
}
