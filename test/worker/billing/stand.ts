import { type Service, startService } from '../../harness.ts';
import { keepOutOfLogs } from '../../log-canaries.ts';
import { type StripeStandIn, startStripe } from '../../stripe/stand-in.ts';
import type { Browser } from '../pages/browser.ts';
import { rows } from '../pages/rows.ts';
import { makeKey, somebody as newcomer, sweep as sweepService } from '../pages/somebody.ts';

export const stripeSecrets = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef0123456789abcdef',
};

/** The default of GRACE_DAYS. */
const GRACE_MS = 7 * 24 * 3600_000;

export interface BillingStand {
  service: Service;
  stripe: StripeStandIn;
  close(): Promise<void>;
}

/** The service with accounts that pay at the stand-in for Stripe. */
export async function startBilling(
  vars: Record<string, string> = {},
  options: { entry?: string } = {},
): Promise<BillingStand> {
  keepOutOfLogs(...Object.values(stripeSecrets));
  let stripe: StripeStandIn | undefined;
  const service = await startService(async (url) => {
    stripe = await startStripe({
      secretKey: stripeSecrets.STRIPE_SECRET_KEY,
      webhook: { url: `${url.origin}/internal/stripe`, secret: stripeSecrets.STRIPE_WEBHOOK_SECRET },
    });
    return {
      ...{ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'inactive' },
      ...{ BILLING: 'stripe', STRIPE_API_URL: stripe.origin, ...stripeSecrets, ...vars },
    };
  }, options);
  const running = stripe;
  if (!running) throw new Error('the stand-in was not started');
  return {
    ...{ service, stripe: running },
    async close() {
      await running.events.settled();
      await service.close();
      await running.close();
    },
  };
}

export interface Payer {
  browser: Browser;
  email: string;
  /** Id of the account. */
  id: string;
  /** Path of the billing page. */
  billing: string;
  key: string;
}

/** Somebody with an account of their own and a key. */
export async function somebody({ service }: BillingStand): Promise<Payer> {
  const { account, ...one } = await newcomer(service);
  const key = await makeKey({ ...one, account });
  return { ...one, key, billing: `${account}/billing` };
}

/** Posts a form of the billing page. @returns the page of Stripe that it leads to */
export async function toStripe(
  { browser, billing }: Payer,
  form: string,
  fields: Record<string, string> = {},
) {
  await browser.open(billing);
  const response = await browser.post(`${billing}/${form}`, fields);
  if (response.status !== 303) throw new Error(`${form}: ${response.status} ${await response.text()}`);
  return response.headers.get('location') ?? '';
}

/** Posts a form of a page of Stripe. @returns the status, and where it leads to */
export async function atStripe(page: string, fields: Record<string, string> = {}) {
  const response = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  });
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    text: await response.text(),
  };
}

/** Buys a plan, and comes back. */
export async function buy(stand: BillingStand, payer: Payer, plan: string): Promise<void> {
  const page = await toStripe(payer, 'plan', { plan });
  const { location } = await atStripe(page, { card: 'good' });
  await payer.browser.open(location.replace(stand.service.url.origin, ''));
  await stand.stripe.events.settled();
}

export const accountOf = async ({ service }: BillingStand, id: string) =>
  (
    await rows<{ plan: string; subscription: string; pay_by: number | null; trial_ends_at: number | null }>(
      service,
      'select plan, subscription, pay_by, trial_ends_at from accounts where id = ?',
      id,
    )
  )[0];

export const subscriptionOf = ({ stripe }: BillingStand, { email }: Payer) => {
  const customer = Object.values(stripe.state.customers).find((one) => one.email === email);
  const all = Object.values(stripe.state.subscriptions).filter((one) => one.customer === customer?.id);
  const subscription = all.at(-1);
  if (!customer || !subscription) throw new Error(`${email} has bought nothing`);
  return { customer, subscription };
};

/** Makes the grace of an account whose payment has failed end in this time, here and by the invoice at Stripe. */
export async function payWithin(stand: BillingStand, payer: Payer, ms: number): Promise<void> {
  const payBy = Date.now() + ms;
  const { id } = subscriptionOf(stand, payer).subscription;
  for (const invoice of Object.values(stand.stripe.state.invoices)) {
    if (invoice.subscription !== id || invoice.status !== 'open') continue;
    invoice.created = Math.floor((payBy - GRACE_MS) / 1000);
  }
  await rows(stand.service, 'update accounts set pay_by = ? where id = ?', payBy, payer.id);
}

/** Runs the cron job as of a time. */
export const sweep = ({ service }: BillingStand, at = Date.now()) => sweepService(service, at);
