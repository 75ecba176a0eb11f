import { type PlanName, planOf } from './plans.ts';

/**
 * Request limits in windows of 10 s. Successful task creations are limited elsewhere: the account's Durable Object enforces
 * `creations_per_minute` exactly.
 */
export const LIMIT_WINDOW_SECONDS = 10;

/** Kinds of authenticated requests; each is counted separately. */
export type AccountLimit = 'polls' | 'creations';

/** Requests of an account per window. `creations` counts attempts, successful or not. */
export function accountRequests(plan: PlanName): number {
  return planOf(plan).polls_per_second * LIMIT_WINDOW_SECONDS;
}

/**
 * Requests per window from one IPv4 address or IPv6 /64. `public` leaves room for an office behind one NAT that opens the
 * documentation with all its clips.
 */
export const addressLimits = {
  public: { requests: 1000, doc: 'Requests that need no key: documents, pages, samples, signed links.' },
  refused: { requests: 100, doc: 'Requests with a missing or invalid key, link or signature.' },
} as const satisfies Record<string, { requests: number; doc: string }>;

export type AddressLimit = keyof typeof addressLimits;

/**
 * After this many refusals per window from one address, keys that were never valid before are no longer looked up in the
 * database. Below it, a valid key behind the same NAT still works while somebody else guesses.
 */
export const UNCHECKED_AFTER = 1000;

/** Reports accepted from one attempt per window. A transcoder sends at most 2 per second. */
export const REPORTS_PER_ATTEMPT = 200;

/** Pending test events per account. */
export const MAX_PENDING_TEST_EVENTS = 5;
