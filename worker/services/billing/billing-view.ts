import type { Invoice } from '../../lib/billing.ts';
import { errorText, log } from '../../lib/log.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { BillingRow } from '../../repos/people/billing.ts';
import { refreshBilling } from './refresh.ts';
import { type Offer, offerOf } from './standing.ts';

export interface BillingView {
  /** Null if the account has never been to the payment page. */
  customer: BillingRow | null;
  offer: Offer;
  /** Newest first; null if they could not be fetched. */
  invoices: Invoice[] | null;
}

/** What the billing page shows. Null if accounts do not pay here. */
export async function billingView(
  context: PeopleContext,
  accountId: string,
  withInvoices: boolean,
): Promise<BillingView | null> {
  const { billing } = context;
  if (!billing) return null;
  const customer = await context.customers.find(accountId);
  const offer = offerOf(customer);
  if (!customer || !withInvoices) return { customer, offer, invoices: [] };
  const invoices = await billing.invoicesOf(customer.customerId).catch((error: unknown) => {
    log('warn', 'invoices_not_fetched', { account_id: accountId, error: errorText(error) });
    return null;
  });
  return { customer, offer, invoices };
}

/** More than a person can pay, change and cancel in that time: the requests that Stripe takes are shared by all accounts. */
const VISITS = { most: 5, withinMs: 10_000 };
const MOST_ACCOUNTS = 1000;
/** When this isolate asked after visits, by account. */
const visits = new Map<string, number[]>();

function mayAsk(accountId: string, now: number): boolean {
  const recent = (visits.get(accountId) ?? []).filter((at) => Math.abs(now - at) < VISITS.withinMs);
  if (recent.length >= VISITS.most) return false;
  if (visits.size >= MOST_ACCOUNTS) visits.clear();
  visits.set(accountId, [...recent, now]);
  return true;
}

/** After a visit to a page of Stripe, whose events may not have arrived yet. Does not throw. */
export async function refreshAfterVisit(context: PeopleContext, accountId: string): Promise<void> {
  const customer = await context.customers.find(accountId);
  if (!customer) return;
  const now = Date.now();
  try {
    if (mayAsk(accountId, now)) await refreshBilling(context, customer, now);
  } catch (error) {
    log('warn', 'billing_not_refreshed', { account_id: accountId, error: errorText(error) });
  }
}
