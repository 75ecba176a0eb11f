import type { Passkey } from '../../repos/people/passkeys.ts';
import { isFresh } from '../../services/sign-in/find-session.ts';
import { passkeyDomain } from '../../services/sign-in/passkey-domain.ts';
import { endOtherSessions, endSession, listSessions } from '../../services/sign-in/sessions.ts';
import { waysToSignIn } from '../../services/sign-in/ways.ts';
import { EmailField, Form, ProveFirst, Time } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { PersonVisit } from '../visit.ts';

/** Address, ways to sign in, and sessions of a person. */
export async function showSettings(visit: PersonVisit): Promise<Response> {
  const fresh = isFresh(visit.signedIn.session, Date.now());
  const { passkeys, identities } = await waysToSignIn(visit.context, visit.signedIn.person);
  const [gitHub] = identities;
  const body = (
    <>
      <h1>Settings</h1>
      {fresh ? null : <ProveFirst next="/app/settings" what="change your address or how you sign in" />}
      <Address visit={visit} fresh={fresh} />
      {passkeyDomain(visit.context) ? <Passkeys visit={visit} fresh={fresh} list={passkeys} /> : null}
      {gitHub ? <GitHub visit={visit} fresh={fresh} label={gitHub.label} /> : null}
      {await sessions(visit)}
      <section>
        <h2>Your data</h2>
        <p>
          <a href="/app/settings/export">Download your data</a> as JSON, or{' '}
          <a href="/app/settings/delete">delete your profile</a>.
        </p>
      </section>
    </>
  );
  return visit.page('Settings', body);
}

function Address({ visit, fresh }: { visit: PersonVisit; fresh: boolean }) {
  return (
    <section>
      <h2>Address</h2>
      <p>You sign in as {visit.signedIn.person.email}.</p>
      {fresh && visit.context.mailer ? (
        <Form visit={visit} action="/app/settings/address">
          <EmailField label="New address" />
          <p class="hint">Both addresses get a code.</p>
          <button type="submit">Change the address</button>
        </Form>
      ) : null}
    </section>
  );
}

function Passkeys({ visit, fresh, list }: { visit: PersonVisit; fresh: boolean; list: Passkey[] }) {
  return (
    <section>
      <h2>Passkeys</h2>
      <ul class="rows">
        {list.map(({ id, label, createdAt, lastUsedAt }) => (
          <li>
            <span>
              <strong>{label}</strong> added <Time ms={createdAt} />
              {lastUsedAt === null ? null : (
                <>
                  , last used <Time ms={lastUsedAt} />
                </>
              )}
            </span>
            {fresh ? (
              <Form visit={visit} action={`/app/settings/passkeys/${id}/remove`} inline>
                <button class="danger" type="submit" aria-label={`Remove ${label}`}>
                  Remove
                </button>
              </Form>
            ) : null}
          </li>
        ))}
      </ul>
      {fresh ? (
        <Form visit={visit} action="/app/settings/passkeys/ask">
          <label>
            Name of the new passkey
            <input name="label" maxlength={60} required placeholder="Laptop" />
          </label>
          <button type="submit">Add a passkey</button>
        </Form>
      ) : null}
    </section>
  );
}

function GitHub({ visit, fresh, label }: { visit: PersonVisit; fresh: boolean; label: string }) {
  return (
    <section>
      <h2>GitHub</h2>
      <p>{label} at GitHub signs you in.</p>
      {fresh ? (
        <Form visit={visit} action="/app/settings/github/disconnect">
          <button class="danger" type="submit">
            Disconnect
          </button>
        </Form>
      ) : null}
    </section>
  );
}

async function sessions(visit: PersonVisit) {
  const { session } = visit.signedIn;
  const list = await listSessions(visit.context, visit.signedIn);
  return (
    <section>
      <h2>Sessions</h2>
      <ul class="rows">
        {list.map(({ id, agent, place, createdAt, lastSeenAt }) => (
          <li>
            <span>
              <strong>{agent}</strong>
              {id === session.id ? ' (this one)' : ''} {place === '' ? null : `in ${place}, `}
              since <Time ms={createdAt} />, last used <Time ms={lastSeenAt} />
            </span>
            <Form visit={visit} action={`/app/settings/sessions/${id}/end`} inline>
              <button class="danger" type="submit" aria-label={`End the session of ${agent}`}>
                End
              </button>
            </Form>
          </li>
        ))}
      </ul>
      <Form visit={visit} action="/app/settings/sessions/end-others">
        <button class="second" type="submit">
          End all other sessions
        </button>
      </Form>
    </section>
  );
}

export async function endOne(visit: PersonVisit): Promise<Response> {
  const id = visit.param('session');
  if (!(await endSession(visit.context, visit.signedIn, id))) {
    throw new PageError(404, 'Not found', 'This session has ended.');
  }
  return id === visit.signedIn.session.id ? visit.exit('/app/sign-in') : visit.redirect('/app/settings');
}

export async function endOthers(visit: PersonVisit): Promise<Response> {
  await endOtherSessions(visit.context, visit.signedIn);
  return visit.redirect('/app/settings');
}
