import type { SubscriptionStatus } from '../../schema/api/billing.ts';
import type { PlanName } from '../../schema/api/plans.ts';

/** A subscription to one of our plans. Times are epoch ms. */
export interface PaidSubscription {
  id: string;
  status: SubscriptionStatus;
  plan: PlanName;
  createdAt: number;
  /** End of the current period. */
  periodEndsAt: number;
  /** When it is going to be canceled; null if it renews. */
  endsAt: number | null;
  /** The plan that it changes to at the end of the period; null if it keeps its plan. */
  nextPlan: PlanName | null;
  /** Since when a payment has been due; null unless the status is past_due. */
  dueSince: number | null;
}

export interface Invoice {
  id: string;
  number: string | null;
  createdAt: number;
  /** In the smallest unit of the currency. */
  total: number;
  currency: string;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  /** Its page, where it can be paid and downloaded. */
  url: string | null;
}

/** The payment service. Customers, subscriptions and invoices have its ids; pages are URLs there. */
export interface Billing {
  /** Origins of its pages, to which forms of the dashboard lead. */
  readonly pageOrigins: readonly string[];
  /** Creates a customer; repeated at once, the same one. @returns its id */
  createCustomer(account: { id: string; name: string; email: string }): Promise<string>;
  /** The page to buy a plan. An earlier page of this customer is closed, because both could be paid. */
  checkoutPage(customer: string, accountId: string, plan: PlanName, returnUrl: string): Promise<string>;
  /** The page for cards, invoices and cancellation. */
  portalPage(customer: string, returnUrl: string): Promise<string>;
  /** The page that confirms a change to another plan: up at once, down at the end of the period. */
  changePage(customer: string, subscription: string, plan: PlanName, returnUrl: string): Promise<string>;
  /** All subscriptions of a customer to our plans, ended ones included. */
  subscriptionsOf(customer: string): Promise<PaidSubscription[]>;
  /** Ends all subscriptions of a customer to our plans at once and closes its open pages to pay. Safe to repeat. */
  endSubscriptions(customer: string): Promise<void>;
  /** The latest invoices, newest first. */
  invoicesOf(customer: string): Promise<Invoice[]>;
}
