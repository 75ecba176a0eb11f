import type { PeopleContext } from '../../people-context.ts';
import { endGrace, reconcileBilling } from '../billing/reconcile.ts';

/** Used and expired challenges count towards the limit of mails for an hour. */
const CHALLENGE_MS = 2 * 3600_000;
const AUDIT_MS = 400 * 24 * 3600_000;

/** Ends trials and grace, compares subscriptions with those at Stripe, and deletes sessions, challenges and invitations that have expired and old entries of the audit log. */
export async function sweepPeople(context: PeopleContext, now: number): Promise<void> {
  await context.people.endTrials(now);
  await endGrace(context, now);
  await context.sessions.removeExpired(now);
  await context.challenges.removeExpired(now - CHALLENGE_MS);
  await context.members.removeExpiredInvitations(now);
  await context.audit.removeBefore(now - AUDIT_MS);
  await reconcileBilling(context, now);
}
