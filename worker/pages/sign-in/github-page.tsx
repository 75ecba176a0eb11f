import { beginSession } from '../../services/sign-in/begin-session.ts';
import { hasGitHub, takeGitHub } from '../../services/sign-in/github.ts';
import { Form } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { Visit } from '../visit.ts';

/** Where GitHub sends people back to. As with links, the button signs in; the script presses it. */
export function showGitHub(visit: Visit): Response {
  const { searchParams } = visit.url;
  if (!hasGitHub(visit.context) || !searchParams.has('code')) throw refused();
  const body = (
    <>
      <h1>Sign in with GitHub</h1>
      <Form visit={visit} action="/app/sign-in/github/finish" send>
        <input type="hidden" name="code" value={searchParams.get('code') ?? ''} />
        <input type="hidden" name="state" value={searchParams.get('state') ?? ''} />
        <button type="submit">Continue</button>
      </Form>
    </>
  );
  return visit.page('Sign in with GitHub', body, { scripts: ['passkey'] });
}

export async function finishGitHub(visit: Visit): Promise<Response> {
  const { context, browser } = visit;
  if (!hasGitHub(context)) throw refused();
  const answer = { code: visit.field('code'), state: visit.field('state') };
  const found = await takeGitHub(context, answer, browser);
  const session = found && (await beginSession(context, found.person, browser, null));
  if (!session) throw refused();
  return visit.enter(session, found.next);
}

const refused = () =>
  new PageError(
    403,
    'GitHub did not sign you in',
    'Try again, or sign in by mail. Your primary address at GitHub has to be verified.',
  );
