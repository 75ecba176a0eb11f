import type { PlanName } from '../../../schema/api/plans.ts';
import type { Billing } from '../../lib/billing.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Person } from '../../repos/people/people.ts';
import { billingUrl } from './billing-url.ts';
import { refreshBilling } from './refresh.ts';
import { offerOf } from './standing.ts';

interface Payer {
  account: { id: string; name: string };
  person: Person;
}

/** The page comes back with this, and then asks Stripe what has changed. */
const returnTo = (context: PeopleContext, { account }: Payer) =>
  `${billingUrl(context.config, account.id)}?returned=1`;

/**
 * The page where an account chooses or changes its plan: to buy one, or to confirm the change of its subscription.
 * @returns null if accounts do not pay here, or the plan is the one they have
 */
export async function planPage(context: PeopleContext, payer: Payer, plan: PlanName): Promise<string | null> {
  const { billing } = context;
  if (!billing) return null;
  const { id } = payer.account;
  const customer = await customerOf(context, billing, payer);
  // Without it, somebody who has bought in another tab a moment ago would buy a second subscription.
  await refreshBilling(context, { accountId: id, customerId: customer }, Date.now());
  const known = await context.customers.find(id);
  const returnUrl = returnTo(context, payer);
  const offer = offerOf(known);
  if (!known?.subscriptionId || offer === 'buy') return billing.checkoutPage(customer, id, plan, returnUrl);
  if (known.plan === plan) return null;
  return offer === 'change'
    ? billing.changePage(customer, known.subscriptionId, plan, returnUrl)
    : billing.portalPage(customer, returnUrl);
}

/** The page for cards, invoices and cancellation; null for an account that has not bought anything. */
export async function managePage(context: PeopleContext, payer: Payer): Promise<string | null> {
  const known = await context.customers.find(payer.account.id);
  if (!context.billing || !known) return null;
  return context.billing.portalPage(known.customerId, returnTo(context, payer));
}

async function customerOf(
  context: PeopleContext,
  billing: Billing,
  { account, person }: Payer,
): Promise<string> {
  const known = await context.customers.find(account.id);
  if (known) return known.customerId;
  const created = await billing.createCustomer({ ...account, email: person.email });
  return context.customers.connect(account.id, created, Date.now());
}
