import {
  type Endpoint,
  MAX_ENDPOINTS,
  ROTATION_SECONDS,
  taskEventTypes,
} from '../../../schema/api/webhook.ts';
import { isFresh } from '../../services/sign-in/find-session.ts';
import { listEndpoints } from '../../services/webhooks/webhook-endpoints.ts';
import { webhookSecretTimes } from '../../services/webhooks/webhook-secret.ts';
import { Form, Notice, ProveFirst, Time } from '../elements.tsx';
import type { MemberVisit } from '../visit.ts';

/** What a form was sent with and why it was refused. */
export interface Refused {
  form: 'endpoint' | 'test';
  url: string;
  error: string;
}

/** In the form that creates the first secret. */
export const NO_SECRET = 'none';

export const pathOf = ({ membership }: MemberVisit) => `/app/${membership.account.id}/webhooks`;

export const showWebhooks = (visit: MemberVisit) => webhooksPage(visit, null);

export async function webhooksPage(visit: MemberVisit, refused: Refused | null): Promise<Response> {
  const { data: endpoints } = await listEndpoints(visit.core, visit.caller.accountId);
  const fresh = isFresh(visit.signedIn.session, Date.now());
  const body = (
    <>
      <h1>Webhooks</h1>
      <p class="lead">
        Spool calls your endpoints when a task ends, with headers that follow{' '}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a>.
      </p>
      <p>
        <a href={`${pathOf(visit)}/deliveries`}>Log of deliveries</a>
      </p>
      {fresh ? null : <ProveFirst next={pathOf(visit)} what="change endpoints or the secret" />}
      <h2>Endpoints</h2>
      {endpoints.length === 0 ? <p>There is no endpoint yet.</p> : null}
      <ul class="rows">
        {endpoints.map((endpoint) => (
          <EndpointRow visit={visit} endpoint={endpoint} fresh={fresh} />
        ))}
      </ul>
      {fresh && endpoints.length < MAX_ENDPOINTS ? <NewEndpoint visit={visit} refused={refused} /> : null}
      {await secret(visit, fresh)}
      <TestForm visit={visit} refused={refused} />
    </>
  );
  return visit.page('Webhooks', body, { status: refused ? 422 : 200, scripts: ['send-once'] });
}

function EndpointRow({ visit, endpoint, fresh }: { visit: MemberVisit; endpoint: Endpoint; fresh: boolean }) {
  const { id, url, events, status, created_at } = endpoint;
  return (
    <li>
      <span>
        <strong class="address">{url}</strong> {events.join(', ')}, since <Time ms={Date.parse(created_at)} />
        {status === 'disabled' ? '. Disabled, because it answered 410: remove it and add it again.' : ''}
      </span>
      <span class="actions">
        <Form visit={visit} action={`${pathOf(visit)}/test`} inline>
          <input type="hidden" name="endpoint" value={id} />
          <button class="second" type="submit" aria-label={`Send a test to ${url}`}>
            Test
          </button>
        </Form>
        {fresh ? (
          <Form visit={visit} action={`${pathOf(visit)}/endpoints/${id}/remove`} inline>
            <button class="danger" type="submit" aria-label={`Remove ${url}`}>
              Remove
            </button>
          </Form>
        ) : null}
      </span>
    </li>
  );
}

function UrlField({ id, refused }: { id: Refused['form']; refused: Refused | null }) {
  const wrong = refused?.form === id ? refused : null;
  return (
    <>
      {wrong ? (
        <p id={`${id}-error`} class="notice error" role="alert">
          {wrong.error}
        </p>
      ) : null}
      <label>
        URL
        <input
          name="url"
          type="url"
          maxlength={2048}
          required
          placeholder="https://example.com/hooks/spool"
          value={wrong?.url}
          aria-invalid={wrong ? 'true' : undefined}
          aria-describedby={wrong ? `${id}-error` : undefined}
        />
      </label>
    </>
  );
}

function NewEndpoint({ visit, refused }: { visit: MemberVisit; refused: Refused | null }) {
  return (
    <section>
      <h3>Add an endpoint</h3>
      <Form visit={visit} action={`${pathOf(visit)}/endpoints`}>
        <UrlField id="endpoint" refused={refused} />
        <fieldset>
          <legend>Events</legend>
          {taskEventTypes.map((type) => (
            <label class="check">
              <input type="checkbox" name="events" value={type} checked /> {type}
            </label>
          ))}
        </fieldset>
        <button type="submit">Add the endpoint</button>
      </Form>
    </section>
  );
}

async function secret(visit: MemberVisit, fresh: boolean) {
  const times = await webhookSecretTimes(visit.core, visit.caller.accountId);
  return (
    <section>
      <h2>Secret</h2>
      <p>
        Every delivery is signed, including deliveries to a <code>callback_url</code>.{' '}
        {times ? (
          <>
            The secret is from <Time ms={times.createdAt} />.
          </>
        ) : (
          'There is no secret yet.'
        )}
      </p>
      {times?.previousUntil ? (
        <Notice>
          Deliveries are also signed with the previous secret until <Time ms={times.previousUntil} />.
        </Notice>
      ) : null}
      {fresh ? (
        <Form visit={visit} action={`${pathOf(visit)}/secret/rotate`}>
          <p class="hint">
            A new secret is shown once. The previous one stays valid for {ROTATION_SECONDS / 3600} hours;
            rotate twice to end it at once.
          </p>
          <input type="hidden" name="replaced" value={times?.createdAt ?? NO_SECRET} />
          <button class={times ? 'second' : ''} type="submit">
            {times ? 'Rotate the secret' : 'Create the secret'}
          </button>
        </Form>
      ) : null}
    </section>
  );
}

function TestForm({ visit, refused }: { visit: MemberVisit; refused: Refused | null }) {
  return (
    <section>
      <h2>Test</h2>
      <p>Sends a signed event of the type webhook.test to any URL, for example a future callback_url.</p>
      <Form visit={visit} action={`${pathOf(visit)}/test`}>
        <UrlField id="test" refused={refused} />
        <button class="second" type="submit">
          Send a test
        </button>
      </Form>
    </section>
  );
}
