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

interface Problem {
  status: 422 | 429;
  text: string;
}

function provePage(
  visit: PersonVisit,
  next: string,
  step: 'ask' | 'enter',
  problem: Problem | null,
): Response {
  const { email } = visit.signedIn.person;
  const body = (
    <>
      <h1>Confirm that it is you</h1>
      <p class="lead">Keys, members and ways to sign in can only be changed within 15 minutes of a proof.</p>
      {problem ? <Notice kind="error">{problem.text}</Notice> : null}
      {step === 'enter' ? (
        <>
          {problem ? null : <p>A code is on its way to {email}.</p>}
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
  return visit.page('Confirm that it is you', body, problem ? { status: problem.status } : {});
}

export async function sendProof(visit: PersonVisit): Promise<Response> {
  const { context, browser, signedIn } = visit;
  const next = nextOf(visit, visit.field('next'));
  const { email } = signedIn.person;
  const isSent = await sendCode(context, { purpose: 'prove', email, next }, browser);
  return provePage(visit, next, 'enter', isSent ? null : tooMany);
}

export async function enterProof(visit: PersonVisit): Promise<Response> {
  const { context, browser, signedIn } = visit;
  const next = nextOf(visit, visit.field('next'));
  const challenge = await tryCode(context, 'prove', visit.field('code'), browser);
  const isProven =
    challenge?.email === signedIn.person.email && (await noteProof(context, signedIn, challenge.id));
  if (isProven) return visit.redirect(next);
  return provePage(visit, next, 'enter', wrongCode);
}

const wrongCode: Problem = {
  status: 422,
  text: 'This is not the code. Check it and try again, or send a new one.',
};
const tooMany: Problem = {
  status: 429,
  text: 'No code was sent: your address, or your network, has had too many in the last hour. Enter the last code, or wait an hour.',
};
