import { planNames, warmSeconds } from '../../schema/api/plans.ts';
import { OFFER_MS, SCOUT_MS } from './allocate.ts';
import { type FleetState, MAX_PAUSE_MS, type Member } from './fleet-state.ts';

const LONGEST_WARM_MS = Math.max(...planNames.map((plan) => warmSeconds[plan])) * 1000;

/** Moves every stored time within its limit from now; returns the same object if the clock was not set back. */
export function clampTimes(state: FleetState, now: number): FleetState {
  const { scout, scoutAt } = state.machines;
  const changed = [...state.members].map(([id, member]) => [id, reachable(member, now)] as const);
  const late = scoutAt > now + MAX_PAUSE_MS || (scout?.ends ?? 0) > now + SCOUT_MS;
  if (!late && changed.every(([id, member]) => state.members.get(id) === member)) return state;
  const machines = {
    ...state.machines,
    scoutAt: Math.min(scoutAt, now + MAX_PAUSE_MS),
    scout: scout && { ...scout, ends: Math.min(scout.ends, now + SCOUT_MS) },
  };
  return { ...state, members: new Map(changed), machines };
}

function reachable(member: Member, now: number): Member {
  const times = [member.heard, member.since, ...[...member.permits.values()].map(({ since }) => since)];
  const ends = [
    member.offerEnds - OFFER_MS,
    ...[...member.warm.values()].map((until) => until - LONGEST_WARM_MS),
    ...[...member.cooling.values()].map(({ until, pauseMs }) => until - pauseMs),
  ];
  if (Math.max(...times, ...ends) <= now) return member;
  const { permits, warm, cooling } = member;
  return {
    ...member,
    heard: Math.min(member.heard, now),
    since: Math.min(member.since, now),
    offerEnds: Math.min(member.offerEnds, now + OFFER_MS),
    permits: mapped(permits, (permit) => ({ ...permit, since: Math.min(permit.since, now) })),
    warm: mapped(warm, (until) => Math.min(until, now + LONGEST_WARM_MS)),
    cooling: mapped(cooling, ({ pauseMs, until }) => ({ pauseMs, until: Math.min(until, now + pauseMs) })),
  };
}

function mapped<T>(entries: ReadonlyMap<number, T>, change: (entry: T) => T): ReadonlyMap<number, T> {
  return new Map([...entries].map(([slot, entry]) => [slot, change(entry)]));
}
