import { deleteAccount } from '../../services/deletion/delete-account.ts';
import { actorOf } from '../actor.ts';
import type { MemberVisit } from '../visit.ts';
import { ConfirmForm, isConfirmed } from './confirm-form.tsx';

const pathOf = ({ membership }: MemberVisit) => `/app/${membership.account.id}`;

export const askAboutAccount = (visit: MemberVisit) => accountPage(visit, false);

function accountPage(visit: MemberVisit, wrong: boolean): Response {
  const { name } = visit.membership.account;
  const body = (
    <>
      <h1>Delete this account</h1>
      <p class="lead">Nothing of {name} can be restored afterwards.</p>
      <ul>
        <li>Its keys stop working at once, and its members lose access at once.</li>
        <li>Tasks that run are stopped. All tasks are deleted, with their files and links.</li>
        <li>Its subscription ends at once, even if its period has been paid for.</li>
        <li>Webhook endpoints, secret, deliveries, usage and log are deleted.</li>
        <li>The people stay: each can still sign in, and create an account of their own.</li>
      </ul>
      <p>
        To keep a copy, <a href={`${pathOf(visit)}/export`}>download the data of the account</a> first.
      </p>
      <ConfirmForm
        visit={visit}
        action={`${pathOf(visit)}/delete`}
        name={name}
        what="the account"
        wrong={wrong}
      />
    </>
  );
  return visit.page('Delete this account', body, wrong ? { status: 422 } : {});
}

export async function removeAccount(visit: MemberVisit): Promise<Response> {
  if (!isConfirmed(visit, visit.membership.account.name)) return accountPage(visit, true);
  await deleteAccount(visit.context, visit.core, actorOf(visit));
  return visit.redirect('/app/accounts');
}
