import {
  type Demand,
  type FleetLink,
  nothing,
  type Policy,
  type State,
  type Step,
  unchanged,
} from './live-state.ts';
import { lineOf, place } from './waiting-line.ts';

/** After this time, no answer is expected. */
const ANSWER_MS = 15_000;
/** Well below the lifetime of a permit at the fleet. */
export const RENEW_MS = 60_000;
const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000] as const;

function demandOf(state: State, policy: Policy): Demand {
  const slots: number[] = [];
  for (const { slot } of state.tasks.values()) if (slot !== null) slots.push(slot);
  slots.sort((a, b) => a - b);
  return { slots, wants: Math.max(0, Math.min(lineOf(state).length, policy.running - slots.length)) };
}

/** Adds a request to the fleet if this step changed the demand. Only one request is in progress at a time. */
export function thenAsk(step: Step, policy: Policy, now: number): Step {
  const { fleet } = step.state;
  if (fleet.asked) return step;
  const demand = demandOf(step.state, policy);
  if (fleet.told ? same(fleet.told, demand) : (fleet.deadline ?? 0) > now) return step;
  const { nextSeq: seq } = fleet;
  const asked = { ...demand, seq };
  const next: FleetLink = { ...fleet, asked, nextSeq: seq + 1, called: false, deadline: now + ANSWER_MS };
  const effects = [...step.effects, { type: 'ask', seq, demand } as const];
  return { ...step, state: { ...step.state, fleet: next }, effects };
}

/** The fleet answered a request with these slots. */
export function applyPermits(state: State, seq: number, slots: readonly number[], now: number): Step {
  const { fleet } = state;
  const { asked } = fleet;
  // The answer to a request that was given up. The next request makes the fleet take these slots back.
  if (asked?.seq !== seq) return unchanged(state);
  const told: Demand = {
    slots: [...asked.slots, ...slots].sort((a, b) => a - b),
    wants: asked.wants - slots.length,
  };
  const idle = same(told, nothing);
  const next: FleetLink = {
    ...{ ...fleet, asked: null, failures: 0, told: fleet.called ? null : told, called: false },
    deadline: fleet.called ? now : idle ? null : now + RENEW_MS,
  };
  return place({ ...state, fleet: next }, slots, now);
}

/** The request got no answer. The fleet may have received it, so the whole demand is sent again. */
export function repeatRequest(state: State, seq: number, now: number): Step {
  const { fleet } = state;
  if (fleet.asked?.seq !== seq) return unchanged(state);
  const pause = RETRY_MS[Math.min(fleet.failures, RETRY_MS.length - 1)] ?? 0;
  const next = { ...fleet, asked: null, told: null, failures: fleet.failures + 1, deadline: now + pause };
  return unchanged({ ...state, fleet: next });
}

/** The fleet has already received a later request, sent by this account before it restarted. */
export function outOfDate(state: State, seq: number, heard: number, now: number): Step {
  const { fleet } = state;
  if (fleet.asked?.seq !== seq) return unchanged(state);
  const next = {
    ...fleet,
    asked: null,
    told: null,
    nextSeq: Math.max(fleet.nextSeq, heard + 1),
    deadline: now,
  };
  return unchanged({ ...state, fleet: next });
}

/** The fleet reserved a permit for this account. */
export function called(state: State, now: number): Step {
  const { fleet } = state;
  if (fleet.asked) return unchanged({ ...state, fleet: { ...fleet, called: true } });
  return unchanged({ ...state, fleet: { ...fleet, told: null, deadline: now } });
}

/** Renews the permits, or stops waiting for an answer. */
export function renew(state: State, now: number): State {
  const { fleet } = state;
  if (fleet.deadline === null || fleet.deadline > now) return state;
  return fleet.asked
    ? repeatRequest(state, fleet.asked.seq, now).state
    : { ...state, fleet: { ...fleet, told: null } };
}

function same(a: Demand, b: Demand): boolean {
  return (
    a.wants === b.wants &&
    a.slots.length === b.slots.length &&
    a.slots.every((slot, at) => slot === b.slots[at])
  );
}
