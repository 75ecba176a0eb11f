import { featuredOf } from '../../../schema/api/examples.ts';
import { planOf } from '../../../schema/api/plans.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { accountsOf } from '../../services/members/accounts.ts';
import { readyRequests } from '../../services/playground/ready-requests.ts';
import type { PersonVisit } from '../visit.ts';
import { operationOf } from './paths.ts';

/**
 * From a page that is the same for everyone to the form of an operation, with an example filled in: in the account of the person who
 * is signed in, or in the one of their accounts that they choose.
 */
export async function openForm(visit: PersonVisit): Promise<Response> {
  const name = operationOf(visit);
  const { accounts } = await accountsOf(visit.context, visit.signedIn.person);
  const [only] = accounts;
  if (!only) return visit.redirect('/app/accounts');
  const query = await exampleQuery(visit, name);
  const formIn = (id: string) => `/app/${id}/playground/${name}${query}`;
  if (accounts.length === 1) return visit.redirect(formIn(only.account.id));
  const body = (
    <>
      <h1>{operations[name].title}: in which account?</h1>
      <ul class="cards">
        {accounts.map(({ account }) => (
          <li>
            <h2>
              <a href={formIn(account.id)}>{account.name}</a>
            </h2>
            <p>Plan {planOf(account.plan).title}.</p>
          </li>
        ))}
      </ul>
    </>
  );
  return visit.page('Choose an account', body);
}

async function exampleQuery(visit: PersonVisit, name: OperationName): Promise<string> {
  const featured = featuredOf(name)?.file.replace(/\.\w+$/, '');
  const ready = await readyRequests(visit.core, name);
  const example = ready.find((one) => one.name === featured) ?? ready[0];
  return example ? `?example=${example.name}` : '';
}
