import { featuredOf } from '../../../schema/api/examples.ts';
import { accountsOf } from '../../services/members/accounts.ts';
import { readyRequests } from '../../services/playground/ready-requests.ts';
import type { PersonVisit } from '../visit.ts';
import { operationOf } from './paths.ts';

/**
 * From a page that is the same for everyone to the form of an operation, with an example filled in: in the account of the person who
 * is signed in, or in the list of their accounts if they have to choose.
 */
export async function openForm(visit: PersonVisit): Promise<Response> {
  const name = operationOf(visit);
  const { accounts } = await accountsOf(visit.context, visit.signedIn.person);
  const [only] = accounts;
  if (!only || accounts.length > 1) return visit.redirect('/app/accounts');
  const featured = featuredOf(name)?.file.replace(/\.\w+$/, '');
  const ready = await readyRequests(visit.core, name);
  const example = ready.find((one) => one.name === featured) ?? ready[0];
  const query = example ? `?example=${example.name}` : '';
  return visit.redirect(`/app/${only.account.id}/playground/${name}${query}`);
}
