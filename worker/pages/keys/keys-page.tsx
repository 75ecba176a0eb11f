import { planOf } from '../../../schema/api/plans.ts';
import { type KeyView, lifetimes, listKeys, overlaps } from '../../services/keys/manage-keys.ts';
import { isFresh } from '../../services/sign-in/find-session.ts';
import { Form, Notice, ProveFirst, Time } from '../elements.tsx';
import type { MemberVisit } from '../visit.ts';

const pathOf = ({ membership }: MemberVisit) => `/app/${membership.account.id}/keys`;

export async function showKeys(visit: MemberVisit): Promise<Response> {
  const { account } = visit.membership;
  const keys = await listKeys(visit.context, account.id);
  const fresh = isFresh(visit.signedIn.session, Date.now());
  const active = keys.filter(({ status }) => status === 'active');
  const over = keys.filter(({ status }) => status !== 'active');
  const body = (
    <>
      <h1>Keys</h1>
      <p class="lead">
        Account {account.name}, plan {planOf(account.plan).title}. A key gives access to everything the API
        does for this account.
      </p>
      {account.subscription === 'inactive' ? (
        <Notice>The subscription is inactive: keys can read, but not create tasks.</Notice>
      ) : null}
      {account.trialEndsAt === null ? null : (
        <Notice>
          The free trial ends <Time ms={account.trialEndsAt} />.
        </Notice>
      )}
      {fresh ? null : <ProveFirst next={pathOf(visit)} what="create, roll or revoke keys" />}
      <ul class="rows">
        {active.map((key) => (
          <li>
            <KeyText entry={key} />
            {fresh ? <KeyForms visit={visit} entry={key} since={newestOf(active, key)} /> : null}
          </li>
        ))}
      </ul>
      {fresh ? <NewKeyForm visit={visit} /> : null}
      {over.length === 0 ? null : (
        <details>
          <summary>Keys that no longer work ({over.length})</summary>
          <ul class="rows">
            {over.map((key) => (
              <li>
                <KeyText entry={key} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
  return visit.page('Keys', body, { scripts: ['send-once'] });
}

function KeyText({ entry }: { entry: KeyView }) {
  const { label, status, createdAt, lastUsedAt, expiresAt, revokedAt } = entry;
  return (
    <span>
      <strong>{label}</strong> created <Time ms={createdAt} />,{' '}
      {lastUsedAt === null ? 'never used' : 'last used '}
      {lastUsedAt === null ? null : <Time ms={lastUsedAt} />}
      {expiresAt === null || status === 'revoked' ? null : (
        <>
          , {status === 'expired' ? 'expired' : 'expires'} <Time ms={expiresAt} />
        </>
      )}
      {revokedAt === null ? null : (
        <>
          , revoked <Time ms={revokedAt} />
        </>
      )}
    </span>
  );
}

/** When the newest key with the same label was made. */
const newestOf = (keys: readonly KeyView[], { label }: KeyView) =>
  Math.max(...keys.filter((key) => key.label === label).map(({ createdAt }) => createdAt));

function KeyForms({ visit, entry, since }: { visit: MemberVisit; entry: KeyView; since: number }) {
  const path = `${pathOf(visit)}/${entry.id}`;
  return (
    <span class="actions">
      <Form visit={visit} action={`${path}/roll`} inline>
        <select name="overlap" aria-label={`What happens to ${entry.label} when it is rolled`}>
          {Object.entries(overlaps).map(([name, { doc }]) => (
            <option value={name} selected={name === '24h'}>
              {doc}
            </option>
          ))}
        </select>
        <input type="hidden" name="since" value={since} />
        <button class="second" type="submit" aria-label={`Roll ${entry.label}`}>
          Roll
        </button>
      </Form>
      <Form visit={visit} action={`${path}/revoke`} inline>
        <button class="danger" type="submit" aria-label={`Revoke ${entry.label}`}>
          Revoke
        </button>
      </Form>
    </span>
  );
}

function NewKeyForm({ visit }: { visit: MemberVisit }) {
  return (
    <section>
      <h2>New key</h2>
      <Form visit={visit} action={pathOf(visit)}>
        <label>
          Label
          <input name="label" maxlength={100} required placeholder="Production server" />
        </label>
        <label>
          Expires
          <select name="lifetime">
            {Object.entries(lifetimes).map(([name, { doc }]) => (
              <option value={name}>{doc}</option>
            ))}
          </select>
        </label>
        <button type="submit">Create the key</button>
      </Form>
    </section>
  );
}
