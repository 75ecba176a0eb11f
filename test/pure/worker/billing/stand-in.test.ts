import { readFileSync } from 'node:fs';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../../stripe/api.ts';
import { parseForm } from '../../../stripe/form.ts';
import { API_VERSION } from '../../../stripe/requests.ts';
import { type StripeStandIn, startStripe } from '../../../stripe/stand-in.ts';

const secretKey = 'sk_test_0123456789abcdef';
let standIn: StripeStandIn;
let stripe: Stripe;

beforeAll(async () => {
  standIn = await startStripe({ secretKey, webhook: { url: 'http://127.0.0.1:9', secret: 'whsec_x' } });
  standIn.state.holdsEvents = true;
  const { hostname: host, port } = new URL(standIn.origin);
  stripe = new Stripe(secretKey, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
});
afterAll(() => standIn.close());

/** A request without the library, which would not send what is wrong. */
async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${standIn.origin}/v1/${path}`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
  });
  const answer = (await response.json()) as { id?: string; error?: Record<string, string> };
  return { status: response.status, replayed: response.headers.get('idempotent-replayed'), ...answer };
}

describe('the stand-in for Stripe', () => {
  it('speaks the version of the API that the library speaks, and no other', async () => {
    expect(Stripe.API_VERSION).toBe(API_VERSION);
    const other = await post('customers', '', { 'stripe-version': '2019-01-01' });
    expect([other.status, other.error?.message]).toEqual([400, 'Invalid Stripe API version: 2019-01-01']);
  });

  it('parses nested objects and both notations of arrays', () => {
    expect(parseForm('a[0][b]=1&a[1][b]=2&c[]=x&c[]=y&d[e][f]=%5B&g=')).toEqual({
      ...{ a: { 0: { b: '1' }, 1: { b: '2' } }, c: { 0: 'x', 1: 'y' } },
      ...{ d: { e: { f: '[' } }, g: '' },
    });
    for (const wrong of ['a=1&a=2', 'a=1&a[b]=2', '[a]=1', 'a[b=1']) expect(() => parseForm(wrong)).toThrow();
  });

  it.each([
    ['customers', 'nmae=x', 'parameter_unknown', 'nmae'],
    ['customers', 'metadata=x', undefined, 'metadata'],
    ['customers', 'name[a]=x', undefined, 'name'],
    ['customers', 'name=', 'parameter_invalid_empty', 'name'],
    ['prices', 'currency=usd', 'parameter_missing', 'unit_amount'],
    [
      'prices',
      'currency=usd&unit_amount=9.5&recurring[interval]=month&product_data[name]=x',
      'parameter_invalid_integer',
      'unit_amount',
    ],
    [
      'prices',
      'currency=usd&unit_amount=9&recurring[interval]=fortnight&product_data[name]=x',
      undefined,
      'recurring[interval]',
    ],
    [
      'prices',
      'currency=usd&unit_amount=9&recurring[every]=month&product_data[name]=x',
      'parameter_unknown',
      'recurring[every]',
    ],
    [
      'checkout/sessions',
      'mode=subscription&customer=cus_x&line_items[0][price]=p&success_url=nowhere',
      'url_invalid',
      'success_url',
    ],
    [
      'checkout/sessions',
      'mode=subscription&customer=cus_x&line_items[0][price]=p&line_items[0][quantity]=1&success_url=https://a.example',
      'resource_missing',
      'customer',
    ],
    [
      'billing_portal/configurations',
      'features[invoice_history][enabled]=yes',
      undefined,
      'features[invoice_history][enabled]',
    ],
  ])('refuses POST %s with %s', async (path, body, code, param) => {
    const { status, error } = await post(path, body);
    expect([status, error?.type, error?.code, error?.param]).toEqual([
      400,
      'invalid_request_error',
      code,
      param,
    ]);
  });

  it('refuses other keys, other encodings, unknown objects and unknown addresses', async () => {
    expect((await post('customers', '', { authorization: 'Bearer sk_test_other' })).status).toBe(401);
    expect((await post('customers', '{}', { 'content-type': 'application/json' })).status).toBe(400);
    expect((await post('refunds', '')).status).toBe(404);
    await expect(stripe.subscriptions.retrieve('sub_x')).rejects.toMatchObject({
      code: 'resource_missing',
      statusCode: 404,
    });
  });

  it('repeats its answer to an idempotency key, and refuses the key for anything else', async () => {
    const key = { 'idempotency-key': 'a-key' };
    const first = await post('customers', 'name=Ada', key);
    const again = await post('customers', 'name=Ada', key);
    expect([again.id, first.replayed, again.replayed]).toEqual([first.id, null, 'true']);
    expect((await post('customers', 'name=Grace', key)).error?.type).toBe('idempotency_error');
    expect((await post('prices', 'name=Ada', key)).error?.type).toBe('idempotency_error');
  });

  it('sells a subscription to the library, renews it with its clock, and ends it', async () => {
    const customer = await stripe.customers.create({
      email: 'ada@example.com',
      metadata: { account_id: 'acct_1' },
    });
    const price = await stripe.prices.create({
      ...{ currency: 'usd', unit_amount: 900, recurring: { interval: 'month' }, lookup_key: 'one' },
      product_data: { name: 'One' },
    });
    const session = await stripe.checkout.sessions.create({
      ...{ mode: 'subscription', customer: customer.id, line_items: [{ price: price.id, quantity: 1 }] },
      success_url: 'https://shop.example/done',
    });
    const paid = await fetch(session.url ?? '', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ card: 'good' }),
    });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, 'https://shop.example/done']);
    const { data } = await stripe.subscriptions.list({ customer: customer.id });
    const [subscription] = data;
    const [item] = subscription?.items.data ?? [];
    expect(subscription).toMatchObject({
      status: 'active',
      customer: customer.id,
      cancel_at_period_end: false,
    });
    expect(item?.price).toMatchObject({ id: price.id, unit_amount: 900, recurring: { interval: 'month' } });
    standIn.world.advance(70 * 24 * 3600);
    const invoices = await stripe.invoices.list({ customer: customer.id, status: 'paid' });
    expect(invoices.data.map(({ total, amount_paid: amount }) => [total, amount])).toEqual([
      [900, 900],
      [900, 900],
      [900, 900],
    ]);
    await stripe.subscriptions.cancel(subscription?.id ?? '');
    expect((await stripe.subscriptions.retrieve(subscription?.id ?? '')).status).toBe('canceled');
    expect(standIn.state.events.map(({ type }) => type)).toEqual([
      ...[
        'customer.subscription.created',
        'invoice.created',
        'invoice.paid',
        'customer.subscription.updated',
      ],
      'checkout.session.completed',
      ...['invoice.created', 'customer.subscription.updated', 'invoice.paid'],
      ...['invoice.created', 'customer.subscription.updated', 'invoice.paid'],
      'customer.subscription.deleted',
    ]);
  });
});

/** What Stripe calls the permission for the resources at the start of a path. */
const permissions: Record<string, string> = {
  customers: 'Customers',
  prices: 'Prices',
  'checkout/sessions': 'Checkout Sessions',
  subscriptions: 'Subscriptions',
  billing_portal: 'Customer portal',
};

describe('the permissions that .dev.vars.example names for a restricted key', () => {
  const example = readFileSync(new URL('../../../../.dev.vars.example', import.meta.url), 'utf8');
  const [, writable = ''] = /write for ([^.]+?), read for/.exec(example.replaceAll('\n# ', ' ')) ?? [];
  const names = writable.split(/, | and /);

  it.each(Object.keys(handlers).filter((route) => !route.startsWith('GET ')))('include %s', (route) => {
    const resource = Object.keys(permissions).find((path) => route.includes(` /v1/${path}`)) ?? route;
    expect(names).toContain(permissions[resource] ?? resource);
  });

  it('include products, which are made with their prices', () => {
    expect(names).toContain('Products');
  });
});
