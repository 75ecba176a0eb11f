import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepOutOfLogs } from '../../log-canaries.ts';
import { type StripeStandIn, startStripe } from '../../stripe/stand-in.ts';
import { buy, stripeSecrets, subscriptionOf } from '../billing/stand.ts';
import { mailsTo } from '../pages/browser.ts';
import { type Somebody, somebody, sweep } from '../pages/somebody.ts';
import { callsOf, closeStand, failNext, rows, service, startStand } from './stand.ts';

const HOUR_MS = 3600_000;
/** The sweep takes mails that were written a minute ago. */
const LATER_MS = 2 * 60_000;

let stripe: StripeStandIn;

beforeAll(async () => {
  keepOutOfLogs(...Object.values(stripeSecrets));
  stripe = await startStripe({
    secretKey: stripeSecrets.STRIPE_SECRET_KEY,
    webhook: { url: 'http://127.0.0.1:9/', secret: stripeSecrets.STRIPE_WEBHOOK_SECRET },
  });
  await startStand({ BILLING: 'stripe', STRIPE_API_URL: stripe.origin, ...stripeSecrets });
  // Every event of Stripe is lost: the sweep finds what has changed.
  stripe.state.holdsEvents = true;
});
afterAll(async () => {
  await closeStand();
  await stripe.close();
});

const subjects = async (email: string, about: string) =>
  (await mailsTo(service, email)).filter(({ subject }) => subject.includes(about)).length;
const waiting = async () => (await rows('select 1 from due_mails')).length;
const cron = { id: 'cron' };

/** A change that owners get a mail about, and a word of its subject. Calls count for the given scope. */
interface Change {
  about: string;
  scope(one: Somebody): { id: string };
  change(one: Somebody): Promise<void>;
  prepare?(one: Somebody): Promise<void>;
}
const form = async ({ browser, id }: Somebody, path: string, fields: Record<string, string>) => {
  const response = await browser.post(path, fields, { 'x-fault-scope': id });
  expect([path, response.status]).toEqual([path, 303]);
};
const paying = async (one: Somebody) => {
  const payer = { ...one, billing: `${one.account}/billing`, key: '' };
  await buy({ service, stripe, close: async () => {} }, payer, 'boost');
  return subscriptionOf({ service, stripe, close: async () => {} }, payer);
};
/** The comparison with Stripe is due for this account alone. */
const reconcile = async ({ id }: Somebody) => {
  await rows('update billing set seen_at = case account_id when ? then 0 else 9e15 end, asked_at = 0', id);
  await sweep(service, Date.now());
};

const changes: Record<string, Change> = {
  'an account that is deleted': {
    about: 'is being deleted',
    scope: (one) => one,
    change: (one) => form(one, `${one.account}/delete`, { confirm: one.email }),
  },
  'an invitation': {
    about: 'Invitation',
    scope: (one) => one,
    change: (one) => form(one, `${one.account}/members`, { email: `of-${one.email}`, role: 'member' }),
  },
  'a subscription that has ended': {
    about: 'inactive',
    scope: () => cron,
    async prepare(one) {
      stripe.world.cancel((await paying(one)).subscription, 'immediately');
    },
    change: reconcile,
  },
  'a payment that has failed': {
    about: 'payment',
    scope: () => cron,
    async prepare(one) {
      (await paying(one)).customer.card = 'declined';
      stripe.world.advance(31 * 24 * 3600);
    },
    change: reconcile,
  },
  'the end of grace': {
    about: 'inactive',
    scope: () => cron,
    prepare: async ({ id }) => {
      await rows(
        "update accounts set subscription = 'active', trial_ends_at = null, pay_by = 1 where id = ?",
        id,
      );
    },
    change: () => sweep(service, Date.now()),
  },
  'a limit of the plan': {
    about: '% of',
    scope: () => cron,
    prepare: async ({ id }) => {
      await rows("insert into limit_notices values (?, 'waiting', '2026-11', 80, ?, null)", id, Date.now());
    },
    change: () => sweep(service, Date.now()),
  },
};

describe('the mail about', () => {
  it.each(Object.keys(changes))('%s comes once where the queue does not take it', async (name) => {
    const { about, scope, change, prepare } = changes[name] as Change;
    const one = await somebody(service);
    const to = name === 'an invitation' ? `of-${one.email}` : one.email;
    await prepare?.(one);
    await one.browser.open(`${one.account}/members`);
    await failNext(scope(one), 'QUEUE MAILS', 'before', 9);
    await change(one);
    expect(await callsOf(scope(one))).toContainEqual({ label: 'QUEUE MAILS send', fault: 'before' });
    await failNext(scope(one), 'none', 'before');
    await sweep(service, Date.now() + LATER_MS);
    await expect.poll(() => subjects(to, about), { timeout: 10_000 }).toBe(1);
    await sweep(service, Date.now() + LATER_MS);
    expect([await subjects(to, about), await waiting()]).toEqual([1, 0]);
  });

  it('a subscription that has ended comes once where the answer of the database is lost', async () => {
    const one = await somebody(service);
    stripe.world.cancel((await paying(one)).subscription, 'immediately');
    await failNext(cron, 'D1 batch update "billing"', 'after');
    await reconcile(one);
    expect(await callsOf(cron)).toContainEqual(expect.objectContaining({ fault: 'after' }));
    await failNext(cron, 'none', 'before');
    await reconcile(one);
    await sweep(service, Date.now() + LATER_MS);
    await expect.poll(() => subjects(one.email, 'inactive'), { timeout: 10_000 }).toBe(1);
    await sweep(service, Date.now() + LATER_MS);
    expect([await subjects(one.email, 'inactive'), await waiting()]).toEqual([1, 0]);
  });

  it('an account that is deleted comes once where the queue takes it and its answer is lost', async () => {
    const one = await somebody(service);
    await one.browser.open(`${one.account}/members`);
    await failNext(one, 'QUEUE MAILS', 'after');
    await form(one, `${one.account}/delete`, { confirm: one.email });
    await sweep(service, Date.now() + LATER_MS);
    await expect.poll(() => subjects(one.email, 'is being deleted'), { timeout: 10_000 }).toBe(1);
    expect(await waiting()).toBe(0);
  });
});

describe('a step of the sweep that always fails does not keep the later ones waiting:', () => {
  it.each([
    ['the end of trials', 'D1 batch insert into "audit_events', 'sessions', 'expires_at'],
    ['the delivery of webhooks', 'D1 update "webhook_deliveries"', 'webhook_secrets', 'expires_at'],
  ])('%s', async (_, match, table, column) => {
    const one = await somebody(service);
    await rows(
      "insert into webhook_secrets (account_id, sealed, created_at, expires_at) values (?, 'x', 1, 9e15)",
      one.id,
    );
    await rows(`update ${table} set ${column} = 1`);
    await failNext(cron, match, 'before', 99);
    // An operator sees that the cron job failed.
    await expect(sweep(service, Date.now() + HOUR_MS)).rejects.toThrow('the cron job: exception');
    expect(await callsOf(cron)).toContainEqual(expect.objectContaining({ fault: 'before' }));
    expect(await rows(`select 1 from ${table}`)).toEqual([]);
    await failNext(cron, 'none', 'before');
  });
});
