import type { Context } from '../../context.ts';
import type { PeopleContext } from '../../people-context.ts';
import { endGrace, reconcileBilling } from '../billing/reconcile.ts';
import { sweepDeletions } from '../deletion/continue-deletion.ts';
import { mailLimitNotices } from '../usage/mail-limit-notices.ts';

/** Used and expired challenges count towards the limit of mails for an hour. */
const CHALLENGE_MS = 2 * 3600_000;
const AUDIT_MS = 400 * 24 * 3600_000;
/** An address that signs up again in this time gets no second free trial. */
const TRIAL_MS = 400 * 24 * 3600_000;
/** Longer than the month for which a notice counts. */
const NOTICE_MS = 62 * 24 * 3600_000;

/**
 * Ends trials and grace, compares subscriptions with those at Stripe, deletes sessions, challenges and invitations that have expired
 * and old entries of the audit log and of free trials, sends notices about limits, and continues deletions.
 */
export async function sweepPeople(context: PeopleContext, core: Context, now: number): Promise<void> {
  await context.people.endTrials(now);
  await endGrace(context, now);
  await context.sessions.removeExpired(now);
  await context.challenges.removeExpired(now - CHALLENGE_MS);
  await context.members.removeExpiredInvitations(now);
  await context.audit.removeBefore(now - AUDIT_MS);
  await context.trials.removeBefore(now - TRIAL_MS);
  await reconcileBilling(context, now);
  await mailLimitNotices(context, now);
  await context.limitNotices.removeBefore(now - NOTICE_MS);
  await sweepDeletions({ ...context, core });
}
