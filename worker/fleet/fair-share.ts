import { type PlanName, planOf } from '../../schema/api/plans.ts';
import type { Member, Permit } from './fleet-state.ts';

/**
 * Weighted fair queueing over accounts. Each account pays for machine time in virtual seconds, divided by its weight, and is
 * served in the order of `used + since`: those that have used little go first, and everyone moves up as they wait. An account
 * therefore waits at most MAX_DEBT_SECONDS longer than others that came when it did.
 */
const PRIORITY_WEIGHT = 3;
/** An account with priority goes ahead of equals that came up to this much earlier. */
const PRIORITY_SECONDS = 10;
/** Paid when a permit is given out; longer work pays the rest as it goes on. */
const ADVANCE_SECONDS = 10;
const MAX_DEBT_SECONDS = 300;

const hasPriority = (plan: PlanName) => planOf(plan).features.includes('priority');

function costOf(plan: PlanName, seconds: number): number {
  return seconds / (hasPriority(plan) ? PRIORITY_WEIGHT : 1);
}

const heldBeyondAdvance = ({ since }: Permit, now: number) =>
  Math.max(0, (now - since) / 1000 - ADVANCE_SECONDS);

/** The lowest goes first. */
export function turn(member: Member, clock: number, now: number): number {
  const { plan, used, offered, permits, since } = member;
  let seconds = offered * ADVANCE_SECONDS;
  for (const permit of permits.values()) seconds += heldBeyondAdvance(permit, now);
  const debt = Math.min(used + costOf(plan, seconds) - clock, MAX_DEBT_SECONDS);
  return debt + since / 1000 - (hasPriority(plan) ? PRIORITY_SECONDS : 0);
}

/** What an account has used once it is given a permit. */
export function afterGrant({ plan, used }: Member): number {
  return used + costOf(plan, ADVANCE_SECONDS);
}

/** What an account has used once it has returned a permit. */
export function afterReturn({ plan, used }: Member, permit: Permit, clock: number, now: number): number {
  return Math.min(used + costOf(plan, heldBeyondAdvance(permit, now)), clock + MAX_DEBT_SECONDS);
}
