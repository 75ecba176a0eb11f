import {
  type FleetPolicy,
  type FleetState,
  longer,
  type Machines,
  type Member,
  MIN_PAUSE_MS,
  type Observation,
  withMember,
} from './fleet-state.ts';

/** One failure may be one machine of many behind the address. */
const FAILURES_UNTIL_DOWN = 3;

/** Learns from what became of a dispatch how much work the machines can take. */
export function observe(
  state: FleetState,
  observation: Observation,
  policy: FleetPolicy,
  now: number,
): FleetState {
  const member = state.members.get(observation.account);
  const noted = member ? withMember(state, noteAt(member, observation, policy, now)) : state;
  if (policy.instances !== null) return noted;
  return { ...noted, machines: learn(noted, observation, now) };
}

function noteAt(member: Member, { slot, outcome }: Observation, policy: FleetPolicy, now: number): Member {
  const permits = new Map(member.permits);
  const permit = permits.get(slot);
  const accepted = outcome === 'accepted';
  if (permit) permits.set(slot, { ...permit, arrived: accepted });
  if (policy.instances === null) return { ...member, permits };
  const cooling = new Map(member.cooling);
  const before = cooling.get(slot);
  cooling.delete(slot);
  if (!accepted) {
    const pauseMs = before ? longer(before.pauseMs) : MIN_PAUSE_MS;
    cooling.set(slot, { pauseMs, until: now + pauseMs });
  }
  return { ...member, permits, cooling };
}

function learn(state: FleetState, observation: Observation, now: number): Machines {
  const { machines } = state;
  const scouted = machines.scout?.account === observation.account && machines.scout.slot === observation.slot;
  const heard = scouted ? { ...machines, scout: null } : machines;
  switch (observation.outcome) {
    case 'accepted':
      return accepted(state, { ...heard, down: false, failures: 0 }, observation, scouted, now);
    case 'busy': {
      const limit = Math.min(heard.limit, arrived(state));
      return later({ ...heard, limit, down: false, failures: 0 }, scouted, now);
    }
    case 'unreachable': {
      const failures = heard.failures + 1;
      if (heard.down) return scouted ? later({ ...heard, failures }, true, now) : heard;
      const down = scouted || failures >= FAILURES_UNTIL_DOWN;
      return down ? later({ ...heard, down, failures }, scouted, now) : { ...heard, failures };
    }
  }
}

function accepted(
  state: FleetState,
  machines: Machines,
  { free, lined }: Observation,
  scouted: boolean,
  now: number,
): Machines {
  // A machine that does not say how much room it has is given one task more than it has taken so far.
  const limit = lined ? machines.limit : Math.max(machines.limit, arrived(state) + (free ?? 1));
  if (limit > machines.limit)
    return { ...machines, limit, pauseMs: MIN_PAUSE_MS, scoutAt: now + MIN_PAUSE_MS };
  return scouted ? later(machines, true, now) : machines;
}

/** The next scout waits, longer each time that one came back in vain. */
function later(machines: Machines, inVain: boolean, now: number): Machines {
  const scoutAt = Math.max(machines.scoutAt, now + machines.pauseMs);
  return { ...machines, scoutAt, pauseMs: inVain ? longer(machines.pauseMs) : machines.pauseMs };
}

function arrived(state: FleetState): number {
  let count = 0;
  for (const { permits } of state.members.values())
    for (const permit of permits.values()) if (permit.arrived) count++;
  return count;
}
