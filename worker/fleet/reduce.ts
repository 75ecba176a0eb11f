import { warmSeconds } from '../../schema/api/plans.ts';
import { allocate, freeSlots, grant, retireIdle, SCOUT_MS } from './allocate.ts';
import { clampTimes } from './clock.ts';
import { afterReturn } from './fair-share.ts';
import {
  type FleetEffect,
  type FleetEvent,
  type FleetPolicy,
  type FleetState,
  type FleetStep,
  type Member,
  newMember,
  type Question,
  withMember,
} from './fleet-state.ts';
import { observe } from './observe.ts';

/**
 * Accounts renew their permits more often than this. An account that does not has lost its state, so its permits are given
 * away.
 */
export const PERMIT_MS = 150_000;
/** How long the fleet remembers the usage of an account. */
const MEMORY_MS = 600_000;

/**
 * Decides which account may use a machine, as a pure reducer: `(state, event, now) → (state, effects)`. Accounts ask; permits
 * are granted in the answer, or reserved for accounts that have to be woken first. The fleet knows nothing about tasks: each
 * account dispatches its own in the order they came.
 */
export function reduceFleet(
  state: FleetState,
  event: FleetEvent,
  policy: FleetPolicy,
  now: number,
): FleetStep {
  const current = expire(clampTimes(state, now), now);
  switch (event.type) {
    case 'ask':
      return ask(current, event.question, policy, now);
    case 'observe':
      return settle(observe(current, event.observation, policy, now), null, [], policy, now);
    case 'tick':
      return settle(current, null, [], policy, now);
  }
}

function ask(state: FleetState, question: Question, policy: FleetPolicy, now: number): FleetStep {
  const known = state.members.get(question.account);
  if (known && question.seq <= known.seq) return { state, effects: [], granted: null };
  let member = known ?? newMember(question.account, question.plan, state.clock, now);
  member = { ...member, plan: question.plan, seq: question.seq, heard: now };
  member = withPermits(member, question.slots, state.clock, policy, now);
  if (question.wants > 0 && member.wants === 0)
    member = { ...member, since: now, used: Math.max(member.used, state.clock) };
  const collects = Math.min(member.offered, question.wants);
  member = { ...member, wants: question.wants, offered: 0, offerEnds: 0 };
  const collected = freeSlots(member, now).slice(0, collects);
  for (const slot of collected) member = grant(member, slot, now);
  const next = withCollectedScout(withMember(state, member), member.id, collected);
  return settle(next, member.id, collected, policy, now);
}

/** Aligns the permits of an account with those it reports; permits that the fleet has forgotten count again. */
function withPermits(
  member: Member,
  slots: readonly number[],
  clock: number,
  policy: FleetPolicy,
  now: number,
): Member {
  let next = member;
  for (const [slot, permit] of member.permits) {
    if (slots.includes(slot)) continue;
    const permits = new Map(next.permits);
    permits.delete(slot);
    const warm = new Map(next.warm);
    if (policy.instances !== null && permit.arrived) warm.set(slot, now + warmSeconds[member.plan] * 1000);
    next = { ...next, permits, warm, used: afterReturn(next, permit, clock, now) };
  }
  for (const slot of slots) {
    if (next.permits.has(slot)) continue;
    const permit = { since: now, arrived: true };
    next = { ...next, permits: new Map(next.permits).set(slot, permit) };
  }
  return next;
}

function withCollectedScout(state: FleetState, account: string, collected: readonly number[]): FleetState {
  const { scout } = state.machines;
  if (scout?.account !== account) return state;
  const held = scout.slot !== null && state.members.get(account)?.permits.has(scout.slot);
  if (held) return state;
  const [slot] = collected;
  const next = scout.slot === null && slot !== undefined ? { ...scout, slot } : null;
  return { ...state, machines: { ...state.machines, scout: next } };
}

/** Distributes free permits, and moves the virtual clock to the account with the lowest usage. */
function settle(
  state: FleetState,
  asker: string | null,
  collected: readonly number[],
  policy: FleetPolicy,
  now: number,
): FleetStep {
  let least = Number.POSITIVE_INFINITY;
  for (const { used, wants } of state.members.values()) if (wants > 0) least = Math.min(least, used);
  const clock = Number.isFinite(least) ? Math.max(state.clock, least) : state.clock;
  const given = allocate({ ...state, clock }, asker, policy, now);
  const trimmed = retireIdle(given.state, policy);
  const effects: FleetEffect[] = [...trimmed.effects, ...given.effects];
  return { state: trimmed.state, effects, granted: asker === null ? [] : [...collected, ...given.granted] };
}

/** Takes back permits that were not collected or renewed in time. */
function expire(state: FleetState, now: number): FleetState {
  const members = new Map<string, Member>();
  for (const [id, member] of state.members) {
    const next = expireMember(member, now);
    const idle = next.permits.size + next.offered + next.warm.size + next.wants === 0;
    if (!idle || next.heard + MEMORY_MS > now) members.set(id, next);
  }
  const { scout } = state.machines;
  const lost = scout !== null && (scout.ends <= now || !carries(members.get(scout.account), scout.slot));
  return { ...state, members, machines: lost ? { ...state.machines, scout: null } : state.machines };
}

function expireMember(member: Member, now: number): Member {
  let next = member;
  if (next.offered > 0 && next.offerEnds <= now) next = { ...next, offered: 0, offerEnds: 0 };
  if (next.heard + PERMIT_MS <= now && (next.permits.size > 0 || next.wants > 0))
    next = { ...next, permits: new Map(), wants: 0, offered: 0 };
  if ([...next.warm.values()].some((until) => until <= now))
    next = { ...next, warm: new Map([...next.warm].filter(([, until]) => until > now)) };
  return next;
}

function carries(member: Member | undefined, slot: number | null): boolean {
  return slot === null ? (member?.offered ?? 0) > 0 : (member?.permits.has(slot) ?? false);
}

/** The earliest time at which `tick` may have work to do; null if there is none. */
export function nextFleetDeadline(state: FleetState, now: number): number | null {
  let next = Number.POSITIVE_INFINITY;
  let unconfirmed = Number.POSITIVE_INFINITY;
  const earlier = (before: number, at: number) => (at > now ? Math.min(before, at) : before);
  let waits = false;
  for (const member of state.members.values()) {
    if (member.wants > member.offered) waits = true;
    if (member.offered > 0) next = earlier(next, member.offerEnds);
    if (member.permits.size > 0 || member.wants > 0) next = earlier(next, member.heard + PERMIT_MS);
    if (member.wants > 0) for (const { until } of member.cooling.values()) next = earlier(next, until);
    for (const { arrived, since } of member.permits.values())
      if (!arrived) unconfirmed = earlier(unconfirmed, since + SCOUT_MS);
  }
  const { scout, scoutAt } = state.machines;
  if (waits) next = Math.min(earlier(next, scout ? scout.ends : scoutAt), unconfirmed);
  return Number.isFinite(next) ? next : null;
}
