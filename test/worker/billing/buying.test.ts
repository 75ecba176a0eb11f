import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsTo } from '../pages/browser.ts';
import { makeStale, rows } from '../pages/rows.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';
import {
  accountOf,
  atStripe,
  type BillingStand,
  buy,
  type Payer,
  payWithin,
  somebody,
  startBilling,
  subscriptionOf,
  sweep,
  toStripe,
} from './stand.ts';

const DAY = 24 * 3600;
const clip = { video_url: 'https://media.example.com/talk.mp4', duration: 5 };

let stand: BillingStand;
let transcoder: StandIn;
beforeAll(async () => {
  transcoder = await startStandIn();
  stand = await startBilling({ TRANSCODER_URL: transcoder.origin });
});
afterAll(async () => {
  await stand.close();
  await transcoder.close();
});

const create = (payer: Payer) => stand.service.request('/cut', { key: payer.key, json: clip });
const open = async (payer: Payer) => {
  await payer.browser.open(payer.billing);
  return payer.browser.text;
};
const advance = async (seconds: number) => {
  stand.stripe.world.advance(seconds);
  await stand.stripe.events.settled();
};
const mails = async (payer: Payer, subject: string) =>
  (await mailsTo(stand.service, payer.email)).filter((mail) => mail.subject.includes(subject));

describe('an account', () => {
  it('without a subscription learns where to pay, and pays there', async () => {
    const payer = await somebody(stand);
    const refused = await create(payer);
    expect(refused.status).toBe(402);
    const { detail } = (await refused.json()) as { detail: string };
    const page = /https?:\/\/\S+/.exec(detail)?.[0] ?? '';
    expect(page).toBe(`${stand.service.url.origin}${payer.billing}`);
    expect(await open(payer)).toMatch(
      /Basic<\/strong> \$9 a month.*Boost<\/strong> \$29.*Elite<\/strong> \$99/s,
    );
    await buy(stand, payer, 'boost');
    expect(payer.browser.text).toContain('has the plan Boost');
    expect(await accountOf(stand, payer.id)).toMatchObject({
      plan: 'boost',
      subscription: 'active',
      pay_by: null,
    });
    expect((await create(payer)).status).toBe(202);
    expect(await open(payer)).toMatch(/\$29, paid/);
  });

  it('stays inactive when the card is declined, and may try again on the same page', async () => {
    const payer = await somebody(stand);
    const page = await toStripe(payer, 'plan', { plan: 'basic' });
    const declined = await atStripe(page, { card: 'declined' });
    expect(declined.status).toBe(402);
    expect(declined.text).toContain('Your card was declined');
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive' });
    const { location } = await atStripe(page, { card: 'good' });
    await payer.browser.open(location.replace(stand.service.url.origin, ''));
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'basic', subscription: 'active' });
  });

  it('goes the whole way: buys, fails to renew, pays, cancels, and subscribes again', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'basic');
    const { customer, subscription } = subscriptionOf(stand, payer);

    customer.card = 'declined';
    await advance(31 * DAY);
    expect(subscription.status).toBe('past_due');
    expect(await accountOf(stand, payer.id)).toMatchObject({
      subscription: 'active',
      pay_by: expect.any(Number),
    });
    expect(await open(payer)).toContain('The last payment failed');
    await payer.browser.open(payer.billing.replace('billing', 'keys'));
    expect(payer.browser.text).toContain('The last payment failed');
    await expect.poll(() => mails(payer, 'payment'), { timeout: 20_000 }).toHaveLength(1);
    expect((await create(payer)).status, 'in the time of grace').toBe(202);

    const portal = await toStripe(payer, 'manage');
    await atStripe(`${portal}/card`, { card: 'good' });
    await stand.stripe.events.settled();
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'active', pay_by: null });
    expect(await open(payer)).not.toContain('The last payment failed');

    await atStripe(`${await toStripe(payer, 'manage')}/cancel`, { subscription: subscription.id });
    await stand.stripe.events.settled();
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'active' });
    expect(await open(payer)).toContain('It is canceled, and ends');
    await advance(31 * DAY);
    expect(subscription.status).toBe('canceled');
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive' });
    expect((await create(payer)).status).toBe(402);
    await expect.poll(() => mails(payer, 'is inactive'), { timeout: 20_000 }).toHaveLength(1);

    await buy(stand, payer, 'elite');
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'elite', subscription: 'active' });
    expect(await mails(payer, 'payment')).toHaveLength(1);
    await payer.browser.open(payer.billing.replace('billing', 'log'));
    expect(payer.browser.text).toMatch(/Stripe<\/strong> changed the subscription to elite, active/);
  });

  it('goes up at once, and down at the end of the period', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'boost');
    const up = await toStripe(payer, 'plan', { plan: 'elite' });
    // The visit alone has to do: no event of this change arrives.
    stand.stripe.state.holdsEvents = true;
    const { location } = await atStripe(`${up}/confirm`);
    stand.stripe.state.holdsEvents = false;
    await payer.browser.open(location.replace(stand.service.url.origin, ''));
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'elite', subscription: 'active' });
    await atStripe(`${await toStripe(payer, 'plan', { plan: 'basic' })}/confirm`);
    await stand.stripe.events.settled();
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'elite', subscription: 'active' });
    expect(await open(payer)).toContain('It changes to Basic');
    await advance(32 * DAY);
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'basic', subscription: 'active' });
    expect(await open(payer)).toContain('It renews');
    expect(
      Object.values(stand.stripe.state.subscriptions).filter(
        (one) => one.customer === subscriptionOf(stand, payer).customer.id,
      ),
    ).toHaveLength(1);
  });

  it('does not go up when the card is declined', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'basic');
    subscriptionOf(stand, payer).customer.card = 'declined';
    const { status } = await atStripe(`${await toStripe(payer, 'plan', { plan: 'elite' })}/confirm`);
    await stand.stripe.events.settled();
    expect(status).toBe(402);
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'basic', subscription: 'active' });
  });

  it('becomes inactive when the time of grace is over, and ends its tasks as it would have', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'basic');
    const task = (await (await create(payer)).json()) as { task_id?: string; id?: string };
    const id = task.task_id ?? task.id ?? '';
    const job = await transcoder.jobOf(id);
    const waiting = await Promise.all([create(payer), create(payer)]);
    expect(waiting.map(({ status }) => status)).toEqual([202, 202]);
    subscriptionOf(stand, payer).customer.card = 'declined';
    await advance(31 * DAY);
    const { pay_by: payBy } = (await accountOf(stand, payer.id)) ?? {};
    await payWithin(stand, payer, 60_000);
    await sweep(stand);
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'active' });
    expect(payBy).toBeGreaterThan(Date.now() + 30 * DAY * 1000);
    await sweep(stand, Date.now() + 60_001);
    expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive' });
    expect((await create(payer)).status).toBe(402);
    await expect.poll(() => mails(payer, 'is inactive'), { timeout: 20_000 }).toHaveLength(1);
    await payer.browser.open(`/app/${payer.id}/log`);
    expect(payer.browser.text).toContain(
      '<strong>Spool</strong> changed the subscription to basic, inactive',
    );

    const result = resultOf(job, 'a result');
    const { FILES } = await stand.service.bindings();
    await FILES.put(result.files[0]?.key ?? '', 'a result');
    await transcoder.report(job, { type: 'completed', result });
    expect((await stand.service.finished(id, payer.key)).status).toBe('completed');
    for (const response of waiting) {
      const { task_id: other, id: otherId } = (await response.json()) as { task_id?: string; id?: string };
      await transcoder.jobOf(other ?? otherId ?? '');
    }
  });

  it('becomes inactive when Stripe has given up, whichever way it is set to', async () => {
    for (const afterRetries of ['canceled', 'unpaid'] as const) {
      stand.stripe.state.afterRetries = afterRetries;
      const payer = await somebody(stand);
      await buy(stand, payer, 'basic');
      const { customer, subscription } = subscriptionOf(stand, payer);
      customer.card = 'declined';
      await advance(50 * DAY);
      expect(subscription.status).toBe(afterRetries);
      expect(await accountOf(stand, payer.id)).toMatchObject({ subscription: 'inactive', pay_by: null });
    }
  });

  it('that waits for a confirmation of the card has bought nothing yet, and keeps its free trial', async () => {
    const payer = await somebody(stand);
    const trial = Date.now() + 1000 * DAY;
    await rows(
      stand.service,
      "update accounts set subscription = 'active', trial_ends_at = ? where id = ?",
      trial,
      payer.id,
    );
    await atStripe(await toStripe(payer, 'plan', { plan: 'elite' }), { card: 'unconfirmed' });
    await stand.stripe.events.settled();
    const onTrial = { plan: 'basic', subscription: 'active', trial_ends_at: trial };
    expect(await accountOf(stand, payer.id)).toMatchObject(onTrial);
    await advance(DAY);
    expect(subscriptionOf(stand, payer).subscription.status).toBe('incomplete_expired');
    expect(await accountOf(stand, payer.id)).toMatchObject(onTrial);
    await buy(stand, payer, 'elite');
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'elite', trial_ends_at: null });
  });

  it('buys one subscription, also from two pages', async () => {
    const payer = await somebody(stand);
    const first = await toStripe(payer, 'plan', { plan: 'basic' });
    const second = await toStripe(payer, 'plan', { plan: 'boost' });
    expect((await atStripe(first, { card: 'good' })).status, 'the earlier page is closed').toBe(402);
    await atStripe(second, { card: 'good' });
    const change = await toStripe(payer, 'plan', { plan: 'elite' });
    expect(change).toContain('/p/session/');
    await payer.browser.open(payer.billing);
    expect((await payer.browser.post(`${payer.billing}/plan`, { plan: 'boost' })).status).toBe(409);
    expect((await payer.browser.post(`${payer.billing}/plan`, { plan: 'gold' })).status).toBe(422);
  });

  it('is one customer at Stripe, also when two owners begin at once', async () => {
    const payer = await somebody(stand);
    await payer.browser.open(payer.billing);
    await Promise.all(
      ['basic', 'boost'].map((plan) => payer.browser.post(`${payer.billing}/plan`, { plan })),
    );
    const customers = Object.values(stand.stripe.state.customers).filter(
      ({ email }) => email === payer.email,
    );
    expect(customers).toHaveLength(1);
    expect(customers[0]?.metadata).toEqual({ account_id: payer.id });
  });

  it('sees its page, and keeps what it has, while Stripe does not answer', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'basic');
    stand.stripe.isDown = true;
    try {
      expect(await open(payer)).toContain('The invoices could not be fetched');
      const response = await payer.browser.post(`${payer.billing}/plan`, { plan: 'elite' });
      expect([response.status, await response.text()]).toEqual([
        503,
        expect.stringContaining('The payment service did not answer'),
      ]);
      await payer.browser.open(`${payer.billing}?returned=1`);
      expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'basic', subscription: 'active' });
    } finally {
      stand.stripe.isDown = false;
    }
  });

  it('opens no page of Stripe for a member, or without a fresh proof', async () => {
    const [owner, member] = [await somebody(stand), await somebody(stand)];
    await buy(stand, owner, 'basic');
    const now = Date.now();
    await rows(
      stand.service,
      `insert into members select ?, id, 'member', ${now} from people where email = ?`,
      owner.id,
      member.email,
    );
    await member.browser.open(owner.billing);
    expect(member.browser.text).toContain('Only owners of the account can change its plan');
    expect(member.browser.text).not.toMatch(/SPOOL-\d|Manage the subscription|Change to/);
    for (const form of ['plan', 'manage']) {
      expect((await member.browser.post(`${owner.billing}/${form}`, { plan: 'elite' })).status).toBe(403);
    }
    await makeStale(stand.service, owner.email);
    await owner.browser.open(owner.billing);
    expect(owner.browser.text).toContain('/app/prove?next=');
    expect(owner.browser.text).not.toMatch(/SPOOL-\d|Manage the subscription/);
    for (const form of ['plan', 'manage']) {
      const { headers } = await owner.browser.post(`${owner.billing}/${form}`, { plan: 'elite' });
      expect(headers.get('location')).toContain('/app/prove');
    }
  });

  it('asks Stripe for a few of many visits, and only for owners', async () => {
    const [owner, member] = [await somebody(stand), await somebody(stand)];
    await buy(stand, owner, 'basic');
    await rows(
      stand.service,
      "insert into members select ?, id, 'member', 1 from people where email = ?",
      ...[owner.id, member.email],
    );
    const asked = async ({ browser }: typeof owner) => {
      const before = stand.stripe.requests.length;
      await Promise.all(Array.from({ length: 20 }, () => browser.send(`${owner.billing}?returned=1`)));
      return stand.stripe.requests.slice(before).filter((request) => request === 'GET /v1/subscriptions')
        .length;
    };
    // The return from buying was a visit, too.
    expect([await asked(member), await asked(owner)]).toEqual([0, 4]);
  });

  it('may lead its forms to the pages of Stripe, from this page only', async () => {
    const payer = await somebody(stand);
    const policy = async (path: string) =>
      (await payer.browser.send(path)).headers.get('content-security-policy') ?? '';
    expect(await policy(payer.billing)).toContain(`form-action 'self' ${stand.stripe.origin};`);
    expect(await policy('/app/settings')).toContain("form-action 'self';");
  });
});

describe('prices and the portal at Stripe', () => {
  it('are made once, from the prices of the plans', async () => {
    const { prices, configurations } = stand.stripe.state;
    expect(Object.values(prices).map(({ lookup_key: key, unit_amount: amount }) => [key, amount])).toEqual([
      ['spool_basic', 900],
      ['spool_boost', 2900],
      ['spool_elite', 9900],
    ]);
    expect(Object.keys(configurations)).toHaveLength(1);
  });

  it('are replaced where the amount there is another one, and what was bought stays what it is', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'boost');
    const old = Object.values(stand.stripe.state.prices).find((price) => price.lookup_key === 'spool_boost');
    if (!old) throw new Error('no price');
    old.unit_amount = 1900;
    stand.stripe.state.answered = {};
    const other = await somebody(stand);
    await buy(stand, other, 'boost');
    expect(subscriptionOf(stand, other).subscription.price).not.toBe(old.id);
    await payer.browser.open(`${payer.billing}?returned=1`);
    expect(await accountOf(stand, payer.id)).toMatchObject({ plan: 'boost', subscription: 'active' });
  });
});
