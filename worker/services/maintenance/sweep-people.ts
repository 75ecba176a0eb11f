import { DAY_MS } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import type { PeopleContext } from '../../people-context.ts';
import { endGrace, reconcileBilling } from '../billing/reconcile.ts';
import { sweepDeletions } from '../deletion/continue-deletion.ts';
import { sweepDueMails } from '../mail/due-mails.ts';
import { mailLimitNotices } from '../usage/mail-limit-notices.ts';
import { attemptAll } from './attempt.ts';

/** Used and expired challenges count towards the limit of mails for an hour. */
const CHALLENGE_MS = 2 * 3600_000;
const AUDIT_MS = 400 * DAY_MS;
/** An address that signs up again in this time gets no second free trial. */
const TRIAL_MS = 400 * DAY_MS;
/** Longer than the month for which a notice counts. */
const NOTICE_MS = 62 * DAY_MS;

type Step = (context: PeopleContext, now: number, core: Context) => Promise<unknown>;

const steps: Record<string, Step> = {
  endTrials: ({ people }, now) => people.endTrials(now),
  endGrace,
  sessions: ({ sessions }, now) => sessions.removeExpired(now),
  challenges: ({ challenges }, now) => challenges.removeExpired(now - CHALLENGE_MS),
  invitations: ({ members }, now) => members.removeExpiredInvitations(now),
  audit: ({ audit }, now) => audit.removeBefore(now - AUDIT_MS),
  trials: ({ trials }, now) => trials.removeBefore(now - TRIAL_MS),
  reconcileBilling,
  mailLimitNotices,
  limitNotices: ({ limitNotices }, now) => limitNotices.removeBefore(now - NOTICE_MS),
  dueMails: sweepDueMails,
  deletions: (context, _, core) => sweepDeletions({ ...context, core }),
};

/**
 * Ends trials and grace, compares subscriptions with those at Stripe, deletes sessions, challenges and invitations that have expired
 * and old entries of the audit log and of free trials, sends notices about limits and mails that were left, and continues deletions.
 * Throws if a step failed.
 */
export async function sweepPeople(context: PeopleContext, core: Context, now: number): Promise<void> {
  const bound = Object.entries(steps).map(([name, step]) => [name, () => step(context, now, core)] as const);
  await attemptAll(Object.fromEntries(bound));
}
