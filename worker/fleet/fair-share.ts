import { type PlanName, planOf } from '../../schema/api/plans.ts';
import type { Member, Permit } from './fleet-state.ts';

/**
 * Weighted fair queueing over accounts. Each account pays for machine time in virtual seconds, divided by its weight, and
 * accounts are served in the order of `used + since`: light users go first, and every account moves up while it waits. An
 * account therefore waits at most MAX_DEBT_SECONDS longer than others that arrived at the same time.
 */
const PRIORITY_WEIGHT = 3;
/** An account with priority precedes accounts with equal usage that arrived up to this much earlier. */
const PRIORITY_SECONDS = 10;
/** Charged when a permit is granted; longer work is charged as it continues. */
const ADVANCE_SECONDS = 10;
const MAX_DEBT_SECONDS = 300;

const hasPriority = (plan: PlanName) => planOf(plan).features.includes('priority');

function costOf(plan: PlanName, seconds: number): number {
  return seconds / (hasPriority(plan) ? PRIORITY_WEIGHT : 1);
}

const heldBeyondAdvance = ({ since }: Permit, now: number) =>
  Math.max(0, (now - since) / 1000 - ADVANCE_SECONDS);

/** The lowest value goes first. */
export function turn(member: Member, clock: number, now: number): number {
  const { plan, used, offered, permits, since } = member;
  let seconds = offered * ADVANCE_SECONDS;
  for (const permit of permits.values()) seconds += heldBeyondAdvance(permit, now);
  const debt = Math.min(used + costOf(plan, seconds) - clock, MAX_DEBT_SECONDS);
  return debt + since / 1000 - (hasPriority(plan) ? PRIORITY_SECONDS : 0);
}

/** The usage of an account after it is granted a permit. */
export function afterGrant({ plan, used }: Member): number {
  return used + costOf(plan, ADVANCE_SECONDS);
}

/** The usage of an account after it returns a permit. */
export function afterReturn({ plan, used }: Member, permit: Permit, clock: number, now: number): number {
  return Math.min(used + costOf(plan, heldBeyondAdvance(permit, now)), clock + MAX_DEBT_SECONDS);
}
