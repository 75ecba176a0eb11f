import type { SubscriptionStatus } from '../../schema/api/billing.ts';

/** Whether the bank of a customer accepts charges; `unconfirmed`: it asks for a confirmation that never comes. */
export type Card = 'good' | 'declined' | 'unconfirmed';

export interface Customer {
  id: string;
  created: number;
  email: string | null;
  name: string | null;
  metadata: Record<string, string>;
  card: Card | null;
}

export interface Price {
  id: string;
  created: number;
  active: boolean;
  currency: string;
  unit_amount: number;
  interval: 'month' | 'year';
  lookup_key: string | null;
  metadata: Record<string, string>;
  product: string;
}

export interface Session {
  id: string;
  created: number;
  status: 'open' | 'complete' | 'expired';
  customer: string;
  client_reference_id: string | null;
  price: string;
  success_url: string;
  cancel_url: string | null;
  subscription: string | null;
}

export interface Subscription {
  id: string;
  created: number;
  customer: string;
  status: SubscriptionStatus;
  item: string;
  price: string;
  /** The price from the next period on. */
  nextPrice: string | null;
  periodStart: number;
  periodEnd: number;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  ended_at: number | null;
  latest_invoice: string;
}

export interface Invoice {
  id: string;
  created: number;
  number: string;
  customer: string;
  subscription: string;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  total: number;
  currency: string;
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  attempt_count: number;
  next_payment_attempt: number | null;
}

export interface PortalSession {
  id: string;
  created: number;
  customer: string;
  configuration: string;
  return_url: string;
  /** A change of the plan to confirm; null for the whole portal. */
  change: { subscription: string; price: string; return_url: string } | null;
}

export interface Configuration {
  id: string;
  created: number;
  metadata: Record<string, string>;
  features: Record<string, unknown>;
  /** Prices that a subscription can change to. */
  prices: string[];
  cancelMode: 'at_period_end' | 'immediately';
  schedulesDowngrades: boolean;
}

export interface StoredEvent {
  id: string;
  created: number;
  type: string;
  /** The object as it was then. */
  object: unknown;
  /** How often it was delivered. */
  delivered: number;
}

interface Answered {
  request: string;
  path: string;
  status: number;
  body: string;
}

/** Everything that the stand-in knows, as JSON. */
export interface State {
  /** Seconds that its clock is ahead. */
  ahead: number;
  serial: number;
  /** Whether events wait until they are released. */
  holdsEvents: boolean;
  /** What becomes of a subscription when the last retry has failed. */
  afterRetries: 'canceled' | 'unpaid';
  customers: Record<string, Customer>;
  products: Record<string, { id: string; created: number; name: string }>;
  prices: Record<string, Price>;
  sessions: Record<string, Session>;
  subscriptions: Record<string, Subscription>;
  invoices: Record<string, Invoice>;
  portals: Record<string, PortalSession>;
  configurations: Record<string, Configuration>;
  events: StoredEvent[];
  answered: Record<string, Answered>;
}

export const emptyState = (): State => ({
  ...{ ahead: 0, serial: 0, holdsEvents: false, afterRetries: 'canceled' },
  ...{ customers: {}, products: {}, prices: {}, sessions: {}, subscriptions: {}, invoices: {} },
  ...{ portals: {}, configurations: {}, events: [], answered: {} },
});
