import { beginSession, personOf } from '../../services/sign-in/begin-session.ts';
import { readLink } from '../../services/sign-in/sign-in-link.ts';
import { Form, Notice } from '../elements.tsx';
import type { Visit } from '../visit.ts';

/** Opening a link does not sign in, because mail scanners open links too: the button does. */
export async function showLink(visit: Visit): Promise<Response> {
  const token = visit.url.searchParams.get('token') ?? '';
  const email = (await readLink(visit.context, token))?.email;
  if (!email) return overPage(visit);
  const other = visit.signedIn && visit.signedIn.person.email !== email ? visit.signedIn.person.email : null;
  const body = (
    <>
      <h1>Sign in</h1>
      <p class="lead">
        You are about to sign in as <strong>{email}</strong>.
      </p>
      {other ? <Notice>In this browser you are signed in as {other}. That session ends.</Notice> : null}
      <Form visit={visit} action="/app/sign-in/link">
        <input type="hidden" name="token" value={token} />
        <button type="submit">Sign in</button>
      </Form>
    </>
  );
  return visit.page('Sign in', body);
}

function overPage(visit: Visit): Response {
  const body = (
    <>
      <h1>This link no longer works</h1>
      <p class="lead">A link works once and for a short time.</p>
      <p>
        <a href={visit.signedIn ? '/app' : '/app/sign-in'}>
          {visit.signedIn ? 'You are signed in already' : 'Ask for a new one'}
        </a>
      </p>
    </>
  );
  return visit.page('Link expired', body, { status: 404 });
}

export async function useLink(visit: Visit): Promise<Response> {
  const { context, browser } = visit;
  const challenge = await readLink(context, visit.field('token'));
  if (!challenge?.email) return overPage(visit);
  const person = await personOf(context, challenge.email);
  const session = await beginSession(context, person, browser, challenge.id);
  return session === null ? overPage(visit) : visit.enter(session, challenge.next);
}
