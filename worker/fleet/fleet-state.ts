import { type PlanName, plans } from '../../schema/api/plans.ts';

/** Permission to use one machine. The account numbers its machines; a container is named `<account>/<slot>`. */
export interface Permit {
  /** Epoch ms. */
  readonly since: number;
  /** Whether a machine has confirmed the work, or the account already held the permit when it was first heard of. */
  readonly arrived: boolean;
}

/** How long an address is not tried after a failure; doubles with each consecutive failure. */
interface Cooling {
  readonly pauseMs: number;
  readonly until: number;
}

/** The state of one account in the fleet. */
export interface Member {
  readonly id: string;
  readonly plan: PlanName;
  /** Number of the last request; anything older is out of date. */
  readonly seq: number;
  /** When the account was last heard from, epoch ms. */
  readonly heard: number;
  /** Permits by slot. */
  readonly permits: ReadonlyMap<number, Permit>;
  /** How many more permits it could use now. */
  readonly wants: number;
  /** When it started to wait for its next permit, epoch ms. */
  readonly since: number;
  /** Permits reserved until the account collects them. */
  readonly offered: number;
  readonly offerEnds: number;
  /** Machine time used, divided by the account's weight, in virtual seconds; see fair-share.ts. */
  readonly used: number;
  /** Idle containers by slot, and when they go to sleep. Empty with a fleet behind `TRANSCODER_URL`. */
  readonly warm: ReadonlyMap<number, number>;
  /** Containers that did not answer, by slot. With a fleet behind `TRANSCODER_URL`, the whole fleet under the key `WHOLE`. */
  readonly cooling: ReadonlyMap<number, Cooling>;
}

/** The one permit that may test whether the fleet can take more work or is back. */
interface Scout {
  readonly account: string;
  /** Null while the permit is reserved. */
  readonly slot: number | null;
  readonly ends: number;
}

/** State of the machines behind `TRANSCODER_URL`; unused with containers. */
export interface Machines {
  /** The highest number of tasks that they have run at once. */
  readonly limit: number;
  /** Breaker: true while the address does not answer, so that only scouts are sent. */
  readonly down: boolean;
  /** Consecutive failures to reach a machine, and the accounts affected. */
  readonly failures: number;
  readonly failed: readonly string[];
  readonly scout: Scout | null;
  /** When the next scout may start, and how long the one after it waits. */
  readonly scoutAt: number;
  readonly pauseMs: number;
}

export interface FleetState {
  readonly members: ReadonlyMap<string, Member>;
  readonly machines: Machines;
  /** Virtual time: accounts start waiting at this value, so that being idle earns no credit. */
  readonly clock: number;
}

export interface FleetPolicy {
  /** How many container instances may run; null: a fleet behind `TRANSCODER_URL`, whose size is learned. */
  readonly instances: number | null;
}

/**
 * The permits that an account has and wants. It states both in full each time, so a lost message is corrected by the next one.
 */
export interface Question {
  account: string;
  plan: PlanName;
  /** Ascending. */
  seq: number;
  slots: readonly number[];
  wants: number;
}

/** The outcome of a dispatch. */
export interface Observation {
  account: string;
  slot: number;
  /** `away`: the address does not answer at all. `unreachable`: something answers there, but no machine behind it. */
  outcome: 'accepted' | 'busy' | 'unreachable' | 'away';
  /** How many more tasks the machine could start now, as it reports; null if it does not report this (wire version N−1). */
  free: number | null;
  /** The machine has queued the task instead of starting it. */
  lined: boolean;
}

export type FleetEvent =
  | { type: 'ask'; question: Question }
  | { type: 'observe'; observation: Observation }
  | { type: 'tick' };

export type FleetEffect =
  /** Notify the account that a permit is reserved for it. */
  | { type: 'wake'; account: string }
  /** Stop an idle container because another account needs the instance. */
  | { type: 'retire'; account: string; slot: number };

export interface FleetStep {
  state: FleetState;
  effects: FleetEffect[];
  /** The slots of new permits for the account that asked; null if the request was out of date. */
  granted: number[] | null;
}

/** The key of a whole fleet in `cooling`. */
export const WHOLE = -1;
export const MIN_PAUSE_MS = 1000;
export const MAX_PAUSE_MS = 60_000;

export const emptyFleet: FleetState = {
  members: new Map(),
  machines: {
    limit: 0,
    down: false,
    failures: 0,
    failed: [],
    scout: null,
    scoutAt: 0,
    pauseMs: MIN_PAUSE_MS,
  },
  clock: 0,
};

export function newMember(id: string, plan: PlanName, clock: number, now: number): Member {
  return {
    ...{ id, plan, seq: 0, heard: now, permits: new Map(), wants: 0, since: now },
    ...{ offered: 0, offerEnds: 0, used: clock, warm: new Map(), cooling: new Map() },
  };
}

export function withMember(state: FleetState, member: Member): FleetState {
  return { ...state, members: new Map(state.members).set(member.id, member) };
}

/** Permits granted or reserved. */
export function permitsInUse(state: FleetState): number {
  let count = 0;
  for (const { permits, offered } of state.members.values()) count += permits.size + offered;
  return count;
}

export const runningOf = ({ plan }: Member) => plans[plan].running;

export function longer(pauseMs: number): number {
  return Math.min(2 * pauseMs, MAX_PAUSE_MS);
}
