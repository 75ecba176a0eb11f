import { beginSession, personOf } from '../../services/sign-in/begin-session.ts';
import { CODE_MINUTES } from '../../services/sign-in/send-code.ts';
import { tryCode } from '../../services/sign-in/try-code.ts';
import { CodeField, Form, Notice } from '../elements.tsx';
import { ownPath, withNext } from '../own-path.ts';
import type { Visit } from '../visit.ts';

const nextOf = (visit: Visit, given: string) => ownPath(given, visit.context.config.PUBLIC_URL);

export function showCode(visit: Visit): Response {
  const next = nextOf(visit, visit.url.searchParams.get('next') ?? '');
  return visit.signedIn ? visit.redirect(next) : codePage(visit, next, null);
}

/** @param next where another code leads; this one has its own */
function codePage(visit: Visit, next: string, error: string | null): Response {
  const body = (
    <>
      <h1>Check your mail</h1>
      <p class="lead">
        If mail can reach the address, a code and a link are on their way. They are valid for {CODE_MINUTES}{' '}
        minutes.
      </p>
      {error ? <Notice kind="error">{error}</Notice> : null}
      <Form visit={visit} action="/app/sign-in/code">
        <input type="hidden" name="next" value={next} />
        <CodeField />
        <button type="submit">Sign in</button>
      </Form>
      <p>
        <a href={withNext('/app/sign-in', next)}>Use another address, or send a new code</a>
      </p>
      {visit.context.config.MAIL === 'outbox' ? (
        <p>
          This service runs in development: <a href="/app/outbox">its mails are here</a>.
        </p>
      ) : null}
    </>
  );
  return visit.page('Check your mail', body, error ? { status: 422 } : {});
}

export async function enterCode(visit: Visit): Promise<Response> {
  const { context, browser } = visit;
  const challenge = await tryCode(context, 'sign_in', visit.field('code'), browser);
  const session =
    challenge?.email &&
    (await beginSession(context, await personOf(context, challenge.email), browser, challenge.id));
  if (challenge && session) return visit.enter(session, challenge.next);
  return codePage(
    visit,
    nextOf(visit, visit.field('next')),
    'This is not the code. Check it and try again, or send a new one. A code works once, for 10 minutes and 5 tries.',
  );
}
