import { afterGrant, turn } from './fair-share.ts';
import {
  type FleetEffect,
  type FleetPolicy,
  type FleetState,
  type Member,
  permitsInUse,
  runningOf,
  WHOLE,
  withMember,
} from './fleet-state.ts';

/** How long a permit is reserved for an account that was woken. */
export const OFFER_MS = 5000;
/**
 * How long a dispatch may be under way before nothing is heard of it: the queue's delivery and the time limit of the request.
 * A scout whose message is lost is replaced after that, for all other accounts wait for it.
 */
export const SCOUT_MS = 40_000;
/** This share of the machines is reserved for accounts that have none, so that a few accounts cannot take all of them. */
const RESERVED = 0.1;

/** Distributes the free permits in order of priority. Permits of `asker` are granted; those of other accounts are reserved. */
export function allocate(
  state: FleetState,
  asker: string | null,
  policy: FleetPolicy,
  now: number,
): { state: FleetState; granted: number[]; effects: FleetEffect[] } {
  let next = state;
  const granted: number[] = [];
  const woken = new Set<string>();
  for (;;) {
    const busy = permitsInUse(next);
    const member = firstInTurn(next, busy, policy, now);
    if (!member) break;
    const scouts = isScout(next, busy, policy);
    if (member.id === asker) {
      const [slot = 0] = freeSlots(member, now);
      next = withMember(next, grant(member, slot, now));
      granted.push(slot);
      if (scouts) next = withScout(next, member.id, slot, now);
    } else {
      const offered = member.offered + 1;
      next = withMember(next, { ...member, offered, offerEnds: now + OFFER_MS });
      woken.add(member.id);
      if (scouts) next = withScout(next, member.id, null, now);
    }
  }
  return { state: next, granted, effects: [...woken].map((account) => ({ type: 'wake', account })) };
}

/** Gives this slot's permit to an account. */
export function grant(member: Member, slot: number, now: number): Member {
  const warm = new Map(member.warm);
  warm.delete(slot);
  const permit = { since: now, arrived: false };
  const permits = new Map(member.permits).set(slot, permit);
  return { ...member, permits, warm, wants: member.wants - 1, since: now, used: afterGrant(member) };
}

/** The slots that an account may be given, warm ones first. */
export function freeSlots(member: Member, now: number): number[] {
  if ((member.cooling.get(WHOLE)?.until ?? 0) > now) return [];
  const all = Array.from({ length: runningOf(member) }, (_, slot) => slot);
  const free = all.filter(
    (slot) => !member.permits.has(slot) && (member.cooling.get(slot)?.until ?? 0) <= now,
  );
  return [...free.filter((slot) => member.warm.has(slot)), ...free.filter((slot) => !member.warm.has(slot))];
}

/** Stops idle containers while more are running than allowed. */
export function retireIdle(
  state: FleetState,
  policy: FleetPolicy,
): { state: FleetState; effects: FleetEffect[] } {
  let next = state;
  const effects: FleetEffect[] = [];
  if (policy.instances === null) return { state, effects };
  const idle = [...state.members.values()].flatMap(({ id, warm }) =>
    [...warm].map(([slot, until]) => ({ id, slot, until })),
  );
  idle.sort((a, b) => a.until - b.until);
  const excess = permitsInUse(state) + idle.length - policy.instances;
  for (const { id, slot } of idle.slice(0, Math.max(0, excess))) {
    const member = next.members.get(id);
    if (!member) continue;
    const warm = new Map(member.warm);
    warm.delete(slot);
    next = withMember(next, { ...member, warm });
    effects.push({ type: 'retire', account: id, slot });
  }
  return { state: next, effects };
}

function firstInTurn(state: FleetState, busy: number, policy: FleetPolicy, now: number): Member | null {
  const limit = limitOf(state, policy);
  const reserved = Math.floor(limit * RESERVED);
  const scouts = maySendScout(state, busy, policy, now);
  let first: { member: Member; at: number } | null = null;
  for (const member of state.members.values()) {
    if (member.wants <= member.offered) continue;
    const newcomer = member.permits.size + member.offered === 0;
    const hasRoom = scouts || busy < limit - (newcomer ? 0 : reserved);
    if (!hasRoom || freeSlots(member, now).length <= member.offered) continue;
    const at = turn(member, state.clock, now);
    if (!first || at < first.at || (at === first.at && member.id < first.member.id)) first = { member, at };
  }
  return first?.member ?? null;
}

function maySendScout(state: FleetState, busy: number, policy: FleetPolicy, now: number): boolean {
  const { scout, scoutAt, down, limit } = state.machines;
  if (!isScout(state, busy, policy) || scout !== null || scoutAt > now) return false;
  return down || busy - lost(state, now) <= limit;
}

/** Permits whose dispatch no machine has confirmed in time: they keep their place, but do not speak for a full fleet. */
function lost(state: FleetState, now: number): number {
  let count = 0;
  for (const { permits } of state.members.values())
    for (const { arrived, since } of permits.values()) if (!arrived && since + SCOUT_MS <= now) count++;
  return count;
}

function limitOf({ machines }: FleetState, { instances }: FleetPolicy): number {
  return instances ?? (machines.down ? 0 : machines.limit);
}

const isScout = (state: FleetState, busy: number, policy: FleetPolicy) =>
  policy.instances === null && busy >= limitOf(state, policy);

function withScout(state: FleetState, account: string, slot: number | null, now: number): FleetState {
  return { ...state, machines: { ...state.machines, scout: { account, slot, ends: now + SCOUT_MS } } };
}
