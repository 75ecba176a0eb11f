import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { signatureOf } from '../../stripe/events.ts';
import { rows } from '../pages/rows.ts';
import {
  accountOf,
  atStripe,
  type BillingStand,
  buy,
  type Payer,
  payWithin,
  somebody,
  startBilling,
  stripeSecrets,
  subscriptionOf,
  sweep,
  toStripe,
} from './stand.ts';

const HOUR_MS = 3600_000;
const { STRIPE_WEBHOOK_SECRET: secret } = stripeSecrets;

let stand: BillingStand;
beforeAll(async () => {
  stand = await startBilling();
});
afterAll(() => stand.close());

const send = (body: string, headers: Record<string, string>) =>
  stand.service.request('/internal/stripe', { method: 'POST', body, headers });
const signed = (body: string, { now = Date.now(), by = secret } = {}) => ({
  'stripe-signature': signatureOf(by, body, now),
});
const asked = async ({ id }: Payer) =>
  (await rows<{ asked: number }>(stand.service, 'select asked from billing where account_id = ?', id))[0]
    ?.asked ?? 0;

/** The last event about a subscription, as it would be sent. */
function eventOf(payer: Payer): string {
  const { subscription } = subscriptionOf(stand, payer);
  const event = stand.stripe.state.events.findLast(
    ({ type, object }) =>
      type.startsWith('customer.subscription') && (object as { id: string }).id === subscription.id,
  );
  if (!event) throw new Error('no event');
  return stand.stripe.events.bodyOf(event);
}

/** A subscription at Stripe of which the service knows nothing, because every event was lost. */
async function boughtUnseen(plan = 'boost'): Promise<Payer> {
  const payer = await somebody(stand);
  const page = await toStripe(payer, 'plan', { plan });
  stand.stripe.state.holdsEvents = true;
  await atStripe(page, { card: 'good' });
  stand.stripe.state.holdsEvents = false;
  return payer;
}

describe('an event of Stripe', () => {
  it('is a reason to ask for the subscription, and nothing that it says is believed', async () => {
    const payer = await boughtUnseen();
    const event = JSON.parse(eventOf(payer));
    event.data.object.status = 'canceled';
    event.data.object.items = { data: [] };
    const body = JSON.stringify(event);
    expect((await send(body, signed(body))).status).toBe(200);
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'boost', subscription: 'active' });
  });

  it.each<[string, (body: string) => Record<string, string>]>([
    ['is not signed', () => ({})],
    ['is signed with another secret', (body) => signed(body, { by: 'whsec_another_0123456789abcdef' })],
    ['is signed for another body', () => signed('{}')],
    ['is older than 5 minutes', (body) => signed(body, { now: Date.now() - 301_000 })],
    ['is of the future', (body) => signed(body, { now: Date.now() + 302_000 })],
    [
      'has the time of another signature',
      (body) => ({
        'stripe-signature': signatureOf(secret, body, Date.now() - HOUR_MS).replace(
          /t=\d+/,
          `t=${Math.floor(Date.now() / 1000)}`,
        ),
      }),
    ],
    [
      'is signed as our own webhooks are',
      () => ({ 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }),
    ],
  ])('that %s is refused, and changes nothing', async (_, headers) => {
    const payer = await boughtUnseen();
    const before = await asked(payer);
    const body = eventOf(payer);
    const response = await send(body, headers(body));
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    expect(await asked(payer)).toBe(before);
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive' });
  });

  it('may be replayed: the account stays what its subscription is', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'boost');
    const created = eventOf(payer);
    const headers = signed(created);
    stand.stripe.world.cancel(subscriptionOf(stand, payer).subscription, 'immediately');
    await stand.stripe.events.settled();
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive' });
    for (let time = 0; time < 3; time++) expect((await send(created, headers)).status).toBe(200);
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive' });
  });

  it('of other customers and of other kinds is taken, and asks nothing', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'basic');
    const before = stand.stripe.requests.length;
    const customer = subscriptionOf(stand, payer).customer.id;
    for (const event of [
      { type: 'customer.subscription.updated', data: { object: { customer: 'cus_of_another_shop' } } },
      { type: 'charge.refunded', data: { object: { customer } } },
      { type: 'customer.subscription.updated', data: { object: {} } },
      { type: 'account.updated' },
    ]) {
      const body = JSON.stringify(event);
      expect((await send(body, signed(body))).status).toBe(200);
    }
    expect(stand.stripe.requests).toHaveLength(before);
  });

  it('is not taken while Stripe does not answer, and comes again', async () => {
    const payer = await boughtUnseen();
    const body = eventOf(payer);
    stand.stripe.isDown = true;
    const response = await send(body, signed(body));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    stand.stripe.isDown = false;
    expect((await send(body, signed(body))).status).toBe(200);
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'boost', subscription: 'active' });
  });

  it('may come late, twice and in the wrong order', async () => {
    const payer = await boughtUnseen('basic');
    const { customer, subscription } = subscriptionOf(stand, payer);
    stand.stripe.state.holdsEvents = true;
    customer.card = 'declined';
    stand.stripe.world.advance(31 * 24 * 3600);
    stand.stripe.world.changeCard(customer, 'good');
    stand.stripe.world.cancel(subscription, 'immediately');
    stand.stripe.state.holdsEvents = false;
    const backwards = stand.stripe.events.waiting.toReversed();
    expect(backwards.length).toBeGreaterThan(8);
    await stand.stripe.events.deliver(...backwards, ...backwards);
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive', pay_by: null });
  });
});

describe('an event that was lost', () => {
  test('is made good by the sweep within a day', async () => {
    const payer = await boughtUnseen('elite');
    await sweep(stand);
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive' });
    await sweep(stand, Date.now() + 24 * HOUR_MS + 1000);
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'elite', subscription: 'active' });
  });

  test('is made good an hour later where Stripe did not answer the sweep', async () => {
    const payer = await boughtUnseen('elite');
    const tomorrow = Date.now() + 25 * HOUR_MS;
    // A sweep ends at the first customer about whom Stripe does not answer.
    await rows(stand.service, 'update billing set seen_at = ? where account_id <> ?', tomorrow, payer.id);
    stand.stripe.isDown = true;
    await sweep(stand, tomorrow);
    stand.stripe.isDown = false;
    const before = await asked(payer);
    await sweep(stand, tomorrow + 60_000);
    expect(await asked(payer), 'not at once').toBe(before);
    await sweep(stand, tomorrow + HOUR_MS + 1000);
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'elite', subscription: 'active' });
  });
});

describe('the end of the grace after a failed payment', () => {
  async function unpaid(): Promise<Payer> {
    const payer = await somebody(stand);
    await buy(stand, payer, 'basic');
    subscriptionOf(stand, payer).customer.card = 'declined';
    stand.stripe.world.advance(31 * 24 * 3600);
    await stand.stripe.events.settled();
    expect(await accountOf(stand, payer.id)).toMatchObject({ pay_by: expect.any(Number) });
    return payer;
  }

  it('does not come if the payment was made and its event was lost', async () => {
    const payer = await unpaid();
    stand.stripe.state.holdsEvents = true;
    stand.stripe.world.changeCard(subscriptionOf(stand, payer).customer, 'good');
    stand.stripe.state.holdsEvents = false;
    await payWithin(stand, payer, -1);
    await sweep(stand);
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'active', pay_by: null });
  });

  it('comes in the first sweep to which Stripe answers', async () => {
    const payer = await unpaid();
    await payWithin(stand, payer, -1);
    stand.stripe.isDown = true;
    await sweep(stand);
    stand.stripe.isDown = false;
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'active' });
    await sweep(stand);
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive' });
  });
});

test('An account without a customer at Stripe is what the operator has made it', async () => {
  const payer = await somebody(stand);
  await rows(
    stand.service,
    "update accounts set plan = 'elite', subscription = 'active' where id = ?",
    payer.id,
  );
  await sweep(stand, Date.now() + 48 * HOUR_MS);
  expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'elite', subscription: 'active' });
});
