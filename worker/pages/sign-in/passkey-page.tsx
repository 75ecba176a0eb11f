import { beginSession } from '../../services/sign-in/begin-session.ts';
import { passkeyDomain } from '../../services/sign-in/passkey-domain.ts';
import { signInOptions, takePasskey } from '../../services/sign-in/passkeys.ts';
import { noteProof } from '../../services/sign-in/sessions.ts';
import { Form } from '../elements.tsx';
import { ownPath, withNext } from '../own-path.ts';
import { askedTooOften, PageError } from '../page-error.ts';
import type { PersonVisit, Visit } from '../visit.ts';

interface OtherWay {
  path: string;
  text: string;
}

/** Asks the browser for a passkey; its script does so at once, and again with the button. */
async function askPage(visit: Visit, action: string, next: string, otherWay: OtherWay): Promise<Response> {
  if (!passkeyDomain(visit.context)) throw new PageError(404, 'Not found', 'Passkeys need a domain name.');
  const get = await signInOptions(visit.context, visit.browser);
  if (get === null) throw askedTooOften();
  const body = (
    <>
      <h1>Use a passkey</h1>
      <p class="lead">Confirm in the window of your browser.</p>
      <Form visit={visit} action={action} passkey={{ get }}>
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="answer" />
        <button type="submit">Ask again</button>
      </Form>
      <noscript>
        <p>Passkeys need JavaScript.</p>
      </noscript>
      <p>
        <a href={withNext(otherWay.path, next)}>{otherWay.text}</a>
      </p>
    </>
  );
  return visit.page('Use a passkey', body, { scripts: ['passkey'] });
}

const nextOf = (visit: Visit) => ownPath(visit.field('next'), visit.context.config.PUBLIC_URL);

export const askPasskey = (visit: Visit) =>
  askPage(visit, '/app/sign-in/passkey', nextOf(visit), { path: '/app/sign-in', text: 'Sign in by mail' });

export const askPasskeyAgain = (visit: PersonVisit) =>
  askPage(visit, '/app/prove/passkey', nextOf(visit), { path: '/app/prove', text: 'Get a code by mail' });

export async function signInByPasskey(visit: Visit): Promise<Response> {
  const { context, browser } = visit;
  const person = await takePasskey(context, visit.field('answer'), browser);
  const session = person && (await beginSession(context, person, browser, null));
  if (!session) throw unknown();
  return visit.enter(session, nextOf(visit));
}

export async function proveByPasskey(visit: PersonVisit): Promise<Response> {
  const { context, browser, signedIn } = visit;
  const person = await takePasskey(context, visit.field('answer'), browser);
  if (person?.id !== signedIn.person.id) throw unknown();
  await noteProof(context, signedIn, null);
  return visit.redirect(nextOf(visit));
}

const unknown = () =>
  new PageError(403, 'This passkey is not known here', 'Try another one, or sign in by mail.');
