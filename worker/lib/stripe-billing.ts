import type { Stripe } from 'stripe';
import { z } from 'zod';
import { subscriptionStatuses } from '../../schema/api/billing.ts';
import { type PlanName, planNames, planOf, prices } from '../../schema/api/plans.ts';
import type { Config } from '../env.ts';
import type { Billing, Invoice, PaidSubscription } from './billing.ts';
import { markOutages, Outage } from './outage.ts';

const TIMEOUT_MS = 10_000;
const INVOICES_SHOWN = 12;
/** Names the plan in the metadata of a price, also of one that the operator makes at Stripe. */
const PLAN_KEY = 'spool_plan';
/** Names the prices that our portal configuration offers. */
const PRICES_KEY = 'spool_prices';
/** A subscription with this status cannot be canceled any more. */
const ENDED: readonly string[] = ['canceled', 'incomplete_expired'];
const STRIPE_PAGES = ['https://checkout.stripe.com', 'https://billing.stripe.com'];

const status = z.enum(subscriptionStatuses);
const invoiceStatus = z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']);
const plan = z.enum(planNames);
const ms = (seconds: number) => seconds * 1000;

type Settings = Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>;

/**
 * Payments by Stripe. Its library is loaded on first use. Prices, products and the configuration of the portal are made from
 * schema/api/plans.ts when they are first needed, so nothing is set up by hand.
 */
export function stripeBilling({ STRIPE_SECRET_KEY, STRIPE_API_URL }: Settings): Billing {
  const api = new URL(STRIPE_API_URL);
  const isStripe = api.hostname === 'api.stripe.com';

  async function connect(): Promise<Stripe> {
    const { Stripe } = await import('stripe');
    const http = api.protocol === 'http:';
    return new Stripe(STRIPE_SECRET_KEY, {
      httpClient: Stripe.createFetchHttpClient(),
      ...{ host: api.hostname, port: api.port || (http ? 80 : 443), protocol: http ? 'http' : 'https' },
      ...{ timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false },
    });
  }

  const billing: Billing = {
    pageOrigins: isStripe ? STRIPE_PAGES : [api.origin],

    async createCustomer({ id, name, email }) {
      const stripe = await connect();
      const about = { email, name, metadata: { account_id: id } };
      const { id: customer } = await stripe.customers.create(about, {
        idempotencyKey: `customer-${id}-${email}`,
      });
      return customer;
    },

    async checkoutPage(customer, accountId, plan, returnUrl) {
      const stripe = await connect();
      const { [plan]: price } = await pricesOf(stripe);
      await closePages(stripe, customer);
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        client_reference_id: accountId,
        line_items: [{ price: price.id, quantity: 1 }],
        success_url: returnUrl,
        cancel_url: returnUrl,
      });
      return pageOf(session);
    },

    async portalPage(customer, returnUrl) {
      const stripe = await connect();
      const configuration = await portalOf(stripe, await pricesOf(stripe));
      return pageOf(
        await stripe.billingPortal.sessions.create({ customer, configuration, return_url: returnUrl }),
      );
    },

    async changePage(customer, subscription, plan, returnUrl) {
      const stripe = await connect();
      const priceOf = await pricesOf(stripe);
      const configuration = await portalOf(stripe, priceOf);
      const { items } = await stripe.subscriptions.retrieve(subscription);
      const item = items.data.map(({ id }) => ({ id, price: priceOf[plan].id, quantity: 1 })).slice(0, 1);
      return pageOf(
        await stripe.billingPortal.sessions.create({
          ...{ customer, configuration, return_url: returnUrl },
          flow_data: {
            type: 'subscription_update_confirm',
            subscription_update_confirm: { subscription, items: item },
            after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
          },
        }),
      );
    },

    async subscriptionsOf(customer) {
      const stripe = await connect();
      const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 });
      const found = await Promise.all(data.map((subscription) => paidSubscription(stripe, subscription)));
      return found.flatMap((subscription) => subscription ?? []);
    },

    async endSubscriptions(customer) {
      const stripe = await connect();
      await closePages(stripe, customer);
      const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 });
      for (const subscription of data) {
        const ours = plan.safeParse(subscription.items.data[0]?.price.metadata[PLAN_KEY]).success;
        if (ours && !ENDED.includes(subscription.status)) await stripe.subscriptions.cancel(subscription.id);
      }
    },

    async invoicesOf(customer) {
      const stripe = await connect();
      const { data } = await stripe.invoices.list({ customer, limit: INVOICES_SHOWN });
      return data.map((invoice): Invoice => {
        const { id, number, created, total, currency, hosted_invoice_url: url } = invoice;
        const shown = { id, number, total, currency, url: url ?? null };
        return { ...shown, createdAt: ms(created), status: invoiceStatus.parse(invoice.status) };
      });
    },
  };
  return markOutages(billing, asStripeOutage);
}

/** Kinds of errors of its library after which the same request may succeed later. */
const PASSING: readonly string[] = ['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError'];

function asStripeOutage(error: unknown): unknown {
  if (!(error instanceof Error && 'type' in error && PASSING.includes(String(error.type)))) return error;
  return new Outage(`Stripe: ${error.message}`, { cause: error });
}

/** Nothing can be bought any more on the pages that were opened before. */
async function closePages(stripe: Stripe, customer: string): Promise<void> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open' });
  for (const { id } of data) await stripe.checkout.sessions.expire(id);
}

function pageOf({ url }: { url: string | null }): string {
  if (url === null) throw new Error('Stripe made a session without a page');
  return url;
}

/** Null if it is to something else that the Stripe account sells. */
async function paidSubscription(
  stripe: Stripe,
  subscription: Stripe.Subscription,
): Promise<PaidSubscription | null> {
  const [item] = subscription.items.data;
  const named = plan.safeParse(item?.price.metadata[PLAN_KEY]);
  if (!item || !named.success) return null;
  const { id, created, cancel_at: cancelAt, cancel_at_period_end: endsWithPeriod } = subscription;
  const periodEndsAt = ms(item.current_period_end);
  const isPastDue = subscription.status === 'past_due';
  return {
    id,
    status: status.parse(subscription.status),
    plan: named.data,
    createdAt: ms(created),
    periodEndsAt,
    endsAt: endsWithPeriod ? periodEndsAt : cancelAt === null ? null : ms(cancelAt),
    nextPlan: await nextPlan(stripe, subscription),
    dueSince: isPastDue ? ((await oldestDue(stripe, id)) ?? ms(item.current_period_start)) : null,
  };
}

/** The plan of the next phase, which a downgrade has scheduled. */
async function nextPlan(stripe: Stripe, { schedule }: Stripe.Subscription): Promise<PlanName | null> {
  if (schedule === null) return null;
  const { current_phase: current, phases } = await stripe.subscriptionSchedules.retrieve(
    typeof schedule === 'string' ? schedule : schedule.id,
    { expand: ['phases.items.price'] },
  );
  const next = phases.find(({ start_date: start }) => current && start >= current.end_date);
  const price = next?.items[0]?.price;
  const named = typeof price === 'object' && !price.deleted ? price.metadata[PLAN_KEY] : undefined;
  return plan.safeParse(named).data ?? null;
}

/** When the oldest open invoice of a subscription was made: a later period does not renew the grace of an earlier one. */
async function oldestDue(stripe: Stripe, subscription: string): Promise<number | null> {
  const { data } = await stripe.invoices.list({ subscription, status: 'open', limit: 100 });
  const oldest = data.at(-1);
  return oldest ? ms(oldest.created) : null;
}

type Prices = Record<PlanName, Stripe.Price>;

const lookupKey = (plan: PlanName) => `spool_${plan}`;

/** The price of each plan at Stripe. If it is missing or has another amount, a new one is made. */
async function pricesOf(stripe: Stripe): Promise<Prices> {
  const listed = await stripe.prices.list({ lookup_keys: planNames.map(lookupKey), active: true });
  const found = planNames.map(async (plan) => {
    const known = listed.data.find((price) => isPriceOf(plan, price));
    return [plan, known ?? (await createPrice(stripe, plan))] as const;
  });
  return Object.fromEntries(await Promise.all(found)) as Prices;
}

function isPriceOf(plan: PlanName, price: Stripe.Price): boolean {
  const { recurring } = price;
  return (
    price.lookup_key === lookupKey(plan) &&
    price.metadata[PLAN_KEY] === plan &&
    price.unit_amount === prices.monthly[plan] &&
    price.currency === prices.currency &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1
  );
}

function createPrice(stripe: Stripe, plan: PlanName): Promise<Stripe.Price> {
  const { currency, monthly } = prices;
  return stripe.prices.create(
    {
      ...{ currency, unit_amount: monthly[plan], recurring: { interval: 'month' } },
      ...{ lookup_key: lookupKey(plan), transfer_lookup_key: true, metadata: { [PLAN_KEY]: plan } },
      product_data: { name: `Spool ${planOf(plan).title}` },
    },
    { idempotencyKey: `price-${plan}-${monthly[plan]}-${currency}` },
  );
}

/** The configuration of the portal that offers these prices. @returns its id */
async function portalOf(stripe: Stripe, priceOf: Prices): Promise<string> {
  const offered = planNames.map((plan) => priceOf[plan].id).join(' ');
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const known = data.find(({ metadata }) => metadata?.[PRICES_KEY] === offered);
  if (known) return known.id;
  const { id } = await stripe.billingPortal.configurations.create(
    {
      metadata: { [PRICES_KEY]: offered },
      features: {
        customer_update: { enabled: true, allowed_updates: ['address', 'email', 'name', 'tax_id'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          products: planNames.map((plan) => productOf(priceOf[plan])),
          proration_behavior: 'always_invoice',
          schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
        },
      },
    },
    { idempotencyKey: `portal-${offered}` },
  );
  return id;
}

function productOf({ id, product }: Stripe.Price) {
  return { product: typeof product === 'string' ? product : product.id, prices: [id] };
}
