import {
  type FleetPolicy,
  type FleetState,
  longer,
  type Machines,
  type Member,
  MIN_PAUSE_MS,
  type Observation,
  WHOLE,
  withMember,
} from './fleet-state.ts';

/** A single failure may come from one machine out of many behind the address. */
const FAILURES_UNTIL_DOWN = 2;

/** Learns from the outcome of a dispatch how much work the machines can take. */
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
  const address = policy.instances === null ? WHOLE : slot;
  const cooling = new Map(member.cooling);
  const before = cooling.get(address);
  cooling.delete(address);
  // If a fleet is full or away, no account sends to it; see `learn`.
  const shared = policy.instances === null && outcome !== 'unreachable';
  if (!accepted && !shared) {
    const pauseMs = before ? longer(before.pauseMs) : MIN_PAUSE_MS;
    cooling.set(address, { pauseMs, until: now + pauseMs });
  }
  return { ...member, permits, cooling };
}

function learn(state: FleetState, observation: Observation, now: number): Machines {
  const { machines } = state;
  const { account, slot, outcome } = observation;
  const scouted = machines.scout?.account === account && machines.scout.slot === slot;
  const heard = scouted ? { ...machines, scout: null } : machines;
  switch (outcome) {
    case 'accepted':
      return accepted(state, reached(heard, now), observation, scouted, now);
    case 'busy': {
      const up = reached(heard, now);
      return later({ ...up, limit: Math.min(up.limit, arrived(state)) }, scouted, now);
    }
    case 'unreachable':
    case 'away': {
      const failed = [...new Set([...heard.failed, account])].slice(-2);
      const failing = { ...heard, failures: heard.failures + 1, failed };
      if (heard.down) return scouted ? later(failing, true, now) : failing;
      const down = failing.failures >= FAILURES_UNTIL_DOWN && (outcome === 'away' || failed.length > 1);
      if (down) return later({ ...failing, down, pauseMs: MIN_PAUSE_MS }, true, now);
      return scouted ? later(failing, true, now) : failing;
    }
  }
}

/** A machine has answered. After an outage, the next scout may go at once. */
function reached(machines: Machines, now: number): Machines {
  const { down, scoutAt, pauseMs } = machines;
  const fresh = down ? { scoutAt: now, pauseMs: MIN_PAUSE_MS } : { scoutAt, pauseMs };
  return { ...machines, ...fresh, down: false, failures: 0, failed: [] };
}

function accepted(
  state: FleetState,
  machines: Machines,
  { free, lined }: Observation,
  scouted: boolean,
  now: number,
): Machines {
  // A machine that does not report its free room is assumed to take one task more than so far.
  const limit = lined ? machines.limit : Math.max(machines.limit, arrived(state) + (free ?? 1));
  // It found room, and there may be more, so the next scout starts at once.
  if (limit > machines.limit) return { ...machines, limit, pauseMs: MIN_PAUSE_MS, scoutAt: now };
  return scouted ? later(machines, true, now) : machines;
}

/** Delays the next scout, longer after each one that fails. */
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
