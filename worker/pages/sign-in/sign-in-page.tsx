import { emailAddress } from '../../services/sign-in/email-address.ts';
import { askGitHub, hasGitHub } from '../../services/sign-in/github.ts';
import { passkeyDomain } from '../../services/sign-in/passkey-domain.ts';
import { sendCode } from '../../services/sign-in/send-code.ts';
import { endSession } from '../../services/sign-in/sessions.ts';
import { EmailField, Form, Notice } from '../elements.tsx';
import { ownPath, withNext } from '../own-path.ts';
import { askedTooOften, PageError } from '../page-error.ts';
import type { Visit } from '../visit.ts';

function nextOf(visit: Visit, given: string): string {
  return ownPath(given, visit.context.config.PUBLIC_URL);
}

export function showSignIn(visit: Visit): Response {
  const next = nextOf(visit, visit.url.searchParams.get('next') ?? '');
  return visit.signedIn ? visit.redirect(next) : signInPage(visit, next, null);
}

function signInPage(visit: Visit, next: string, error: string | null): Response {
  const { context } = visit;
  const body = (
    <>
      <h1>Sign in</h1>
      <p class="lead">New here? The same form creates your account. There are no passwords.</p>
      {error ? <Notice kind="error">{error}</Notice> : null}
      {context.mailer ? (
        <Form visit={visit} action="/app/sign-in">
          <input type="hidden" name="next" value={next} />
          <EmailField label="Your email address" />
          <button type="submit">Send me a code</button>
        </Form>
      ) : (
        <Notice>
          This service sends no mail. Its operator can give you a sign-in link:{' '}
          <code>npm run admin -- invite</code>.
        </Notice>
      )}
      {passkeyDomain(context) ? (
        <Form visit={visit} action="/app/sign-in/passkey/ask">
          <input type="hidden" name="next" value={next} />
          <button class="second" type="submit">
            Use a passkey
          </button>
        </Form>
      ) : null}
      {hasGitHub(context) ? (
        <Form visit={visit} action="/app/sign-in/github">
          <input type="hidden" name="next" value={next} />
          <button class="second" type="submit">
            Continue with GitHub
          </button>
        </Form>
      ) : null}
    </>
  );
  return visit.page('Sign in', body, error ? { status: 422 } : {});
}

/** Mails a code and a link. The response is the same for every address. */
export async function askToSignIn(visit: Visit): Promise<Response> {
  const next = nextOf(visit, visit.field('next'));
  const email = emailAddress(visit.field('email'));
  if (!email) return signInPage(visit, next, 'Enter an email address, such as ada@example.com.');
  await sendCode(visit.context, { purpose: 'sign_in', email, next }, visit.browser);
  return visit.redirect(withNext('/app/sign-in/code', next));
}

export async function goToGitHub(visit: Visit): Promise<Response> {
  if (!hasGitHub(visit.context)) throw new PageError(404, 'Not found', 'GitHub is not set up here.');
  const page = await askGitHub(visit.context, visit.browser, nextOf(visit, visit.field('next')));
  if (page === null) throw askedTooOften();
  return visit.leave(page);
}

export async function signOut(visit: Visit): Promise<Response> {
  const { context, signedIn } = visit;
  if (signedIn) await endSession(context, signedIn, signedIn.session.id);
  return visit.exit('/app/sign-in');
}
