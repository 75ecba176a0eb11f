import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/d1';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type SubscriptionStatus, subscriptionStatuses } from '../../../../schema/api/billing.ts';
import { planNames } from '../../../../schema/api/plans.ts';
import { sealer } from '../../../../schema/api/seal.ts';
import type { PaidSubscription } from '../../../../worker/lib/billing.ts';
import { standingOf } from '../../../../worker/services/billing/standing.ts';
import { sqliteD1 } from './sqlite-d1.ts';

interface Refresh {
  refreshBilling(
    context: object,
    about: { accountId: string; customerId: string },
    now: number,
  ): Promise<void>;
}
// By their addresses, because tests are checked without the types of the Workers runtime.
const module = (path: string) =>
  import(fileURLToPath(new URL(`../../../../worker/${path}`, import.meta.url)));
const { refreshBilling } = (await module('services/billing/refresh.ts')) as Refresh;
const { billingRepo } = (await module('repos/people/billing.ts')) as {
  billingRepo(db: unknown): { connect(account: string, customer: string, now: number): Promise<string> };
};
const { accountsRepo } = (await module('repos/accounts.ts')) as { accountsRepo(db: unknown): object };
const { dueMailsRepo } = (await module('repos/people/due-mails.ts')) as { dueMailsRepo(db: unknown): object };
const { membersRepo } = (await module('repos/people/members.ts')) as { membersRepo(db: unknown): object };

const NOW = 1_800_000_000_000;
const DAY = 24 * 3600_000;
const GRACE_DAYS = 7;
const about = { accountId: 'acct_1', customerId: 'cus_1' };

type Trial = 'on trial' | 'never paid';

/** An account, and a Stripe whose responses a scheduler may hold back. */
async function world(trial: Trial, waits: () => Promise<void> = async () => {}) {
  const { d1, database } = sqliteD1();
  const [subscription, trialEnds] = trial === 'on trial' ? ['active', NOW + DAY] : ['inactive', null];
  database
    .prepare(
      'insert into accounts (id, name, plan, subscription, created_at, trial_ends_at) values (?, ?, ?, ?, ?, ?)',
    )
    .run(about.accountId, 'Acme', 'basic', subscription ?? null, 1, trialEnds ?? null);
  database.exec(`insert into people values ('pers_1', 'ada@example.com', 1);
    insert into members values ('acct_1', 'pers_1', 'owner', 1)`);
  const db = drizzle(d1 as never);
  const customers = billingRepo(db);
  await customers.connect(about.accountId, about.customerId, NOW);
  const stripe = { subscriptions: [] as PaidSubscription[] };
  const mails: unknown[] = [];
  const plansTold: unknown[] = [];
  const context = {
    config: { PUBLIC_URL: 'https://spool.example.com', GRACE_DAYS },
    accounts: accountsRepo(db),
    account: () => ({ planIs: async (plan: unknown) => void plansTold.push(plan) }),
    customers,
    members: membersRepo(db),
    dueMails: dueMailsRepo(db),
    mailer: {},
    sealer: sealer('a master secret of thirty-two characters'),
    async queueMail(message: unknown) {
      mails.push(message);
    },
    billing: {
      async subscriptionsOf() {
        await waits();
        const found = stripe.subscriptions;
        await waits();
        return found;
      },
    },
  };
  const account = () =>
    database.prepare('select plan, subscription, pay_by, trial_ends_at from accounts').get() as Record<
      string,
      unknown
    >;
  const seen = () => database.prepare('select status, subscription_id from billing').get();
  const refresh = () => refreshBilling(context, about, NOW);
  return { stripe, refresh, account, seen, mails, plansTold, close: () => database.close() };
}

const subscriptionWith = (statuses: readonly SubscriptionStatus[]): fc.Arbitrary<PaidSubscription> =>
  fc
    .record({
      id: fc.constantFrom('sub_1', 'sub_2', 'sub_3'),
      status: fc.constantFrom(...statuses),
      plan: fc.constantFrom(...planNames),
      createdAt: fc.integer({ min: 1, max: 3 }).map((day) => NOW - (100 - day) * DAY),
      endsAt: fc.constantFrom(null, NOW + 5 * DAY),
      due: fc.integer({ min: 0, max: 10 }),
    })
    .map(({ due, ...rest }) => ({
      ...rest,
      periodEndsAt: NOW + 5 * DAY,
      nextPlan: null,
      dueSince: rest.status === 'past_due' ? NOW - due * DAY : null,
    }));

interface Step {
  state: PaidSubscription[];
  /** How many events tell of it: none if they are lost. */
  events: number;
  /** How far the requests that are under way get before the next change. */
  steps: number;
}

const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

/** States one after the other, each with a first subscription of that status, because none ever disappears. */
function historyAfter(
  first: SubscriptionStatus,
  statuses: readonly SubscriptionStatus[],
): fc.Arbitrary<Step[]> {
  const old = { id: 'sub_0', status: first, plan: 'basic', createdAt: 1, periodEndsAt: NOW } as const;
  const later = fc.uniqueArray(subscriptionWith(statuses), { selector: ({ id }) => id, maxLength: 3 });
  const state = later.map((others) => [...others, { ...old, endsAt: null, dueSince: null, nextPlan: null }]);
  const step = fc.record({
    state,
    events: fc.integer({ min: 0, max: 3 }),
    steps: fc.integer({ min: 0, max: 5 }),
  });
  return fc.array(step, { minLength: 1, maxLength: 6 });
}

const histories = fc.oneof(
  fc.constant<Step[]>([{ state: [], events: 2, steps: 1 }]),
  historyAfter('incomplete_expired', ['incomplete', 'incomplete_expired']),
  historyAfter('canceled', subscriptionStatuses),
);

/** What an account has to be, from what is at Stripe and nothing else. */
function wanted(trial: Trial, found: readonly PaidSubscription[]) {
  const standing = standingOf(found, GRACE_DAYS, NOW);
  const onTrial = trial === 'on trial';
  if (!standing || (onTrial && !standing.endsTrial)) {
    return {
      ...{ plan: 'basic', subscription: onTrial ? 'active' : 'inactive', pay_by: null },
      trial_ends_at: onTrial ? NOW + DAY : null,
    };
  }
  const { plan, subscription, payBy } = standing;
  return { plan, subscription, pay_by: payBy, trial_ends_at: null };
}

// They are what the service logs, thousands of lines.
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));

describe('an account', () => {
  it.each(subscriptionStatuses)(
    'with a subscription that is %s follows every change of its plan',
    async (status) => {
      for (const from of planNames) {
        for (const to of planNames) {
          const { stripe, refresh, account, plansTold, close } = await world('never paid');
          const paid = {
            id: 'sub_1',
            createdAt: 1,
            periodEndsAt: NOW + DAY,
            endsAt: null,
            dueSince: null,
            nextPlan: null,
          };
          stripe.subscriptions = [{ ...paid, status: 'active', plan: from }];
          await refresh();
          expect(account()).toMatchObject({ plan: from, subscription: 'active' });
          stripe.subscriptions = [
            { ...paid, status, plan: to, dueSince: status === 'past_due' ? NOW : null },
          ];
          await refresh();
          const isActive = ['active', 'trialing', 'past_due'].includes(status);
          expect([from, to, account()]).toEqual([
            ...[from, to],
            {
              plan: to,
              subscription: isActive ? 'active' : 'inactive',
              pay_by: status === 'past_due' ? NOW + GRACE_DAYS * DAY : null,
              trial_ends_at: null,
            },
          ]);
          expect(plansTold).toEqual([from, to]);
          close();
        }
      }
    },
  );

  it('is what Stripe has, whichever events were lost, doubled or late, once it is reconciled', async () => {
    const trials = fc.constantFrom<Trial>('on trial', 'never paid');
    await fc.assert(
      fc.asyncProperty(histories, trials, fc.scheduler(), async (history, trial, scheduler) => {
        const { stripe, refresh, account, seen, close } = await world(trial, () =>
          scheduler.schedule(Promise.resolve()),
        );
        const deliveries: Promise<void>[] = [];
        for (const { state, events, steps } of history) {
          stripe.subscriptions = state;
          // They are under way while Stripe changes again.
          for (let event = 0; event < events; event++) deliveries.push(refresh());
          await nextTurn();
          for (let step = 0; step < steps && scheduler.count() > 0; step++) {
            await scheduler.waitOne();
            await nextTurn();
          }
        }
        // The last to ask; responses to the others may still come after its own.
        deliveries.push(refresh());
        let areDone = false;
        const all = Promise.all(deliveries).then(() => {
          areDone = true;
        });
        while (!areDone) {
          await scheduler.waitIdle();
          await nextTurn();
        }
        await all;
        expect(account()).toEqual(wanted(trial, stripe.subscriptions));
        const standing = standingOf(stripe.subscriptions, GRACE_DAYS, NOW);
        expect(seen()).toEqual({
          status: standing?.from.status ?? null,
          subscription_id: standing?.from.id ?? null,
        });
        close();
      }),
      { numRuns: 60 },
    );
  });

  it('is not set back by a response that was asked for earlier and comes later', async () => {
    const paused: (() => void)[] = [];
    const { stripe, refresh, account } = await world(
      'never paid',
      () => new Promise((go) => paused.push(go)),
    );
    const letGo = async () => {
      paused.shift()?.();
      await new Promise((resolve) => setTimeout(resolve));
    };
    const paid = {
      id: 'sub_1',
      createdAt: 1,
      periodEndsAt: NOW,
      endsAt: null,
      dueSince: null,
      nextPlan: null,
    } as const;
    stripe.subscriptions = [{ ...paid, status: 'active', plan: 'elite' }];
    const slow = refresh();
    await expect.poll(() => paused.length).toBe(1);
    await letGo();
    stripe.subscriptions = [{ ...paid, status: 'canceled', plan: 'elite' }];
    const quick = refresh();
    await expect.poll(() => paused.length).toBe(2);
    const [first, second] = paused.splice(0);
    second?.();
    await expect.poll(() => paused.length).toBe(1);
    await letGo();
    await quick;
    expect(account()).toMatchObject({ subscription: 'inactive' });
    first?.();
    await slow;
    expect(account()).toMatchObject({ subscription: 'inactive' });
  });

  it('gets one mail for one failed payment, and one when it becomes inactive, however often it is refreshed', async () => {
    const { stripe, refresh, mails } = await world('never paid');
    const paid = {
      id: 'sub_1',
      plan: 'basic',
      createdAt: 1,
      periodEndsAt: NOW,
      endsAt: null,
      nextPlan: null,
    } as const;
    stripe.subscriptions = [{ ...paid, status: 'past_due', dueSince: NOW - DAY }];
    await Promise.all([refresh(), refresh(), refresh()]);
    expect(mails).toHaveLength(1);
    stripe.subscriptions = [{ ...paid, status: 'canceled', dueSince: null }];
    await refresh();
    await refresh();
    expect(mails).toHaveLength(2);
  });
});
