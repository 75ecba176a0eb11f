import { planOf } from '../../../schema/api/plans.ts';
import {
  acceptInvitation,
  accountsOf,
  createAccount,
  declineInvitation,
} from '../../services/members/accounts.ts';
import { Form } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { PersonVisit } from '../visit.ts';

/** To the only account of a person, or to the list of them. */
export async function showHome(visit: PersonVisit): Promise<Response> {
  const { accounts, invitations } = await accountsOf(visit.context, visit.signedIn.person);
  const [only] = accounts;
  const isClear = only && accounts.length === 1 && invitations.length === 0;
  return visit.redirect(isClear ? `/app/${only.account.id}/home` : '/app/accounts');
}

export async function showAccounts(visit: PersonVisit): Promise<Response> {
  const { accounts, invitations } = await accountsOf(visit.context, visit.signedIn.person);
  const body = (
    <>
      <h1>Accounts</h1>
      <ul class="cards">
        {accounts.map(({ account, role }) => (
          <li>
            <h2>
              <a href={`/app/${account.id}/home`}>{account.name}</a>
            </h2>
            <p>
              Plan {planOf(account.plan).title}, subscription {account.subscription}. You are{' '}
              {role === 'owner' ? 'an owner' : 'a member'}.
            </p>
          </li>
        ))}
        {invitations.map(({ invitation, account }) => (
          <li>
            <h2>{account}</h2>
            <p>
              {invitation.invitedBy} invites you as {invitation.role}.
            </p>
            <Form visit={visit} action={`/app/invitations/${invitation.id}/accept`} inline>
              <button type="submit">Join</button>
            </Form>
            <Form visit={visit} action={`/app/invitations/${invitation.id}/decline`} inline>
              <button class="second" type="submit">
                Decline
              </button>
            </Form>
          </li>
        ))}
      </ul>
      {accounts.length === 0 ? (
        <Form visit={visit} action="/app/accounts">
          <button class={invitations.length === 0 ? '' : 'second'} type="submit">
            Create an account of your own
          </button>
        </Form>
      ) : null}
    </>
  );
  return visit.page('Accounts', body);
}

export async function addAccount(visit: PersonVisit): Promise<Response> {
  const id = await createAccount(visit.context, visit.signedIn.person);
  return visit.redirect(id ? `/app/${id}/home` : '/app/accounts');
}

export async function accept(visit: PersonVisit): Promise<Response> {
  const id = await acceptInvitation(visit.context, visit.signedIn.person, visit.param('invitation'));
  if (!id)
    throw new PageError(404, 'Not found', 'This invitation has expired, was withdrawn, or is not for you.');
  return visit.redirect(`/app/${id}/home`);
}

export async function decline(visit: PersonVisit): Promise<Response> {
  await declineInvitation(visit.context, visit.signedIn.person, visit.param('invitation'));
  return visit.redirect('/app/accounts');
}
