import { passkeyDomain } from '../../services/sign-in/passkey-domain.ts';
import { sendCode } from '../../services/sign-in/send-code.ts';
import { noteProof } from '../../services/sign-in/sessions.ts';
import { tryCode } from '../../services/sign-in/try-code.ts';
import { CodeField, Form, Notice } from '../elements.tsx';
import { ownPath } from '../own-path.ts';
import type { PersonVisit } from '../visit.ts';

const nextOf = (visit: PersonVisit, given: string) => ownPath(given, visit.context.config.PUBLIC_URL);

export function showProve(visit: PersonVisit): Response {
  return provePage(visit, nextOf(visit, visit.url.searchParams.get('next') ?? ''), 'ask', null);
}

function provePage(visit: PersonVisit, next: string, step: 'ask' | 'enter', error: string | null): Response {
  const { email } = visit.signedIn.person;
  const body = (
    <>
      <h1>Confirm that it is you</h1>
      <p class="lead">Keys, members and ways to sign in can only be changed within 15 minutes of a proof.</p>
      {error ? <Notice kind="error">{error}</Notice> : null}
      {step === 'enter' ? (
        <>
          <p>A code is on its way to {email}.</p>
          <Form visit={visit} action="/app/prove">
            <input type="hidden" name="next" value={next} />
            <CodeField />
            <button type="submit">Confirm</button>
          </Form>
        </>
      ) : null}
      {visit.context.mailer ? (
        <Form visit={visit} action="/app/prove/send">
          <input type="hidden" name="next" value={next} />
          <button class={step === 'ask' ? '' : 'second'} type="submit">
            {step === 'ask' ? `Send a code to ${email}` : 'Send a new code'}
          </button>
        </Form>
      ) : (
        <Notice>
          This service sends no mail. Sign out and sign in with a new link of its operator:{' '}
          <code>npm run admin -- invite</code>.
        </Notice>
      )}
      {passkeyDomain(visit.context) ? (
        <Form visit={visit} action="/app/prove/passkey/ask">
          <input type="hidden" name="next" value={next} />
          <button class="second" type="submit">
            Use a passkey
          </button>
        </Form>
      ) : null}
    </>
  );
  return visit.page('Confirm that it is you', body, error ? { status: 422 } : {});
}

export async function sendProof(visit: PersonVisit): Promise<Response> {
  const { context, browser, signedIn } = visit;
  const next = nextOf(visit, visit.field('next'));
  await sendCode(context, { purpose: 'prove', email: signedIn.person.email, next }, browser);
  return provePage(visit, next, 'enter', null);
}

export async function enterProof(visit: PersonVisit): Promise<Response> {
  const { context, browser, signedIn } = visit;
  const next = nextOf(visit, visit.field('next'));
  const challenge = await tryCode(context, 'prove', visit.field('code'), browser);
  const isProven =
    challenge?.email === signedIn.person.email && (await noteProof(context, signedIn, challenge.id));
  if (isProven) return visit.redirect(next);
  return provePage(visit, next, 'enter', 'This is not the code. Check it and try again, or send a new one.');
}
