import type { Fault } from '../fault.ts';

const events = 'test/worker/billing/events.test.ts';
const signature = 'test/pure/worker/billing/stripe-signature.test.ts';
const model = 'test/pure/worker/billing/refresh-model.test.ts';
const refused = { file: events, name: 'that %s is refused, and changes nothing' };

/** Events of Stripe, and what accounts may do because of them. */
export const billing: readonly Fault[] = [
  {
    guard: 'verified over the raw body',
    file: 'worker/services/billing/take-stripe-event.ts',
    find: '!(await isSignedByStripe(people.config.STRIPE_WEBHOOK_SECRET, presented, body))',
    plant: 'false',
    test: refused,
  },
  {
    guard: 'or see invoices',
    file: 'worker/pages/billing/billing-page.tsx',
    find: 'const fresh = isFresh(visit.signedIn.session, Date.now());',
    plant: 'const fresh = true;',
    test: {
      file: 'test/worker/billing/buying.test.ts',
      name: 'opens no page of Stripe for a member, or without a fresh proof',
    },
  },
  {
    guard: 'at most 5 minutes old',
    file: 'worker/lib/stripe-signature.ts',
    find: '> TOLERANCE_SECONDS) return null;',
    plant: '> 1e9) return null;',
    test: { file: signature, name: 'is refused when it is more than 5 minutes old or early' },
  },
  {
    guard: 'verified over the raw body',
    file: 'worker/lib/stripe-signature.ts',
    find: 'await hmac(secret, `${timestamp}.${body}`)',
    plant: 'await hmac(secret, body)',
    test: {
      file: signature,
      name: 'is accepted as the library of Stripe makes it, and as the stand-in does',
    },
  },
  {
    guard: 'An older response never replaces a newer one',
    file: 'worker/repos/people/billing.ts',
    find: 'sql`seen < ${asked}`',
    plant: 'sql`true`',
    test: { file: model, name: 'is not set back by a response that was asked for earlier and comes later' },
  },
  {
    guard: 'a failed payment ends it after `GRACE_DAYS`',
    file: 'worker/services/billing/standing.ts',
    find: "meaning === 'paid' || (payBy !== null && now < payBy)",
    plant: "meaning === 'paid' || payBy !== null",
    test: {
      file: 'test/pure/worker/billing/standing.test.ts',
      name: 'stays active until the grace is over, to the millisecond',
    },
  },
  {
    guard: 'a failed payment ends it after `GRACE_DAYS`',
    file: 'worker/repos/people/billing.ts',
    find: "and(lte(accounts.payBy, now), eq(accounts.subscription, 'active'))",
    plant: "and(lte(accounts.payBy, 0), eq(accounts.subscription, 'active'))",
    test: {
      file: 'test/worker/billing/buying.test.ts',
      name: 'becomes inactive when the time of grace is over, and ends its tasks as it would have',
    },
  },
  {
    guard: 'Only owners with a fresh proof open its pages',
    file: 'worker/pages/billing/routes.ts',
    find: 'path: `${account}/billing/manage`,\n    ...freshOwner,',
    plant: "path: `${account}/billing/manage`,\n    access: 'owner',",
    test: {
      file: 'test/worker/billing/buying.test.ts',
      name: 'opens no page of Stripe for a member, or without a fresh proof',
    },
  },
];
