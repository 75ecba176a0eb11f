import { type PlanName, planOf } from './plans.ts';

/**
 * How many requests are answered. Task creations that succeed are limited by `creations_per_minute` of the plan, exactly, by
 * the account's object; everything else is counted here, in windows of ten seconds.
 */
export const LIMIT_WINDOW_SECONDS = 10;

/** What a request with a key counts as; each kind is counted apart. */
export type AccountLimit = 'polls' | 'creations';

/** Requests of an account in ten seconds: `creations` are attempts to create, whatever becomes of them. */
export function accountRequests(plan: PlanName): number {
  return planOf(plan).polls_per_second * LIMIT_WINDOW_SECONDS;
}

/**
 * Requests in ten seconds from one address: an IPv4 address or an IPv6 /64. A whole office behind one NAT may read the
 * documentation with all its clips; nobody needs 100 refusals.
 */
export const addressLimits = {
  public: { requests: 1000, doc: 'Requests to what needs no key: documents, pages, samples, signed links.' },
  refused: { requests: 100, doc: 'Requests with a missing or wrong key, link or signature.' },
} as const satisfies Record<string, { requests: number; doc: string }>;

export type AddressLimit = keyof typeof addressLimits;

/**
 * Refusals of an address in ten seconds after which the database is no longer asked about a key that has not been valid before.
 * Until then a valid key behind the same NAT is served, whoever guesses there.
 */
export const UNCHECKED_AFTER = 1000;

/** Reports of one attempt that are taken in ten seconds; a transcoder sends at most two a second. */
export const REPORTS_PER_ATTEMPT = 200;

/** Test events of an account that are on their way at once. */
export const MAX_PENDING_TEST_EVENTS = 5;
