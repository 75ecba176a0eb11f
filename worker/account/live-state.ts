import type { Plan } from '../../schema/api/plans.ts';
import type { Deletion } from './deletions.ts';

/** A task that has not ended. A step that does not change it keeps the same object. */
export interface LiveTask {
  readonly id: string;
  /** Order of admission: first come, first served. */
  readonly seq: number;
  readonly requestId: string;
  /** Kind of work; its typical duration is learned per account. */
  readonly work: string;
  /**
   * - `recording`: admitted; its record is being written.
   * - `waiting`: in line.
   * - `dispatching`: has a slot; the message is in the queue.
   * - `sending`: a consumer of the queue is handing it to a machine, which may already have it.
   * - `accepted`: a machine has it and has not started.
   * - `running`
   * - `backoff`: waits before its next attempt.
   * - `ending`: its end is being written.
   */
  readonly phase:
    | 'recording'
    | 'waiting'
    | 'dispatching'
    | 'sending'
    | 'accepted'
    | 'running'
    | 'backoff'
    | 'ending';
  readonly slot: number | null;
  /** Fencing number, unique per attempt. */
  readonly attempt: number;
  /** Machines that died after accepting the task. Attempts that never arrived or were handed back do not count. */
  readonly losses: number;
  /** Attempts that ended with a failure that another machine may avoid. */
  readonly failures: number;
  /** Attempts that ended because the disk of their machine was full. */
  readonly shortages?: number;
  /** When the phase expires, epoch ms; null if it never does. */
  readonly deadline: number | null;
  /** When an accepted attempt is lost even if it still reports, epoch ms. */
  readonly latest: number;
  /** Tasks whose output this one reads and that had not ended when it was admitted. While one of them is live, it has no place in line. */
  readonly after?: readonly string[];
  /** Whether the lease was already extended once because the account could not listen. */
  readonly spared?: boolean;
}

/** The permits that an account has, and how many more it could use now. */
export interface Demand {
  /** Ascending. */
  readonly slots: readonly number[];
  readonly wants: number;
}

/** What the fleet knows about the account's demand. */
export interface FleetLink {
  /** The last demand that the fleet confirmed; null if unknown, then sent again at `deadline`. */
  readonly told: Demand | null;
  /** The request in progress. */
  readonly asked: (Demand & { readonly seq: number }) | null;
  /** Ascending; restarts with the object until the fleet reports the last number it received. */
  readonly nextSeq: number;
  /** Unanswered requests in a row. */
  readonly failures: number;
  /** The fleet called during a request: ask again after the answer. */
  readonly called: boolean;
  /** When the demand is sent again, epoch ms. */
  readonly deadline: number | null;
}

export interface State {
  readonly nextSeq: number;
  /** When the tokens in use were taken, epoch ms, ascending. */
  readonly spent: readonly number[];
  readonly tasks: ReadonlyMap<string, LiveTask>;
  /** Deletions in progress. */
  readonly deletions: ReadonlyMap<string, Deletion>;
  /** No deletion is tried again before, epoch ms. In memory only. */
  readonly erasuresFrom: number;
  /** In memory only: after a restart, the account sends its demand again. */
  readonly fleet: FleetLink;
}

/** What the plan allows. Passed in with each call, so changing a plan needs no migration here. */
export type Policy = Pick<Plan, 'creations_per_minute' | 'running' | 'waiting'>;

export type Effect =
  /** Send the task to its slot. */
  | { type: 'dispatch'; task: LiveTask }
  /** The first sign of life of an attempt: record that it runs. */
  | { type: 'begin'; task: LiveTask }
  /** Record that the task waits again. */
  | { type: 'requeue'; task: LiveTask }
  /** No attempts remain: record the failure, then send `ended`. */
  | { type: 'give_up'; task: LiveTask }
  /** Tell the transcoder to stop this attempt. */
  | { type: 'stop'; task: LiveTask }
  /** Delete the files and then the record, then send `erased`. */
  | { type: 'erase'; id: string }
  /** Request permits from the fleet, then send `permitted`, `out_of_date` or `unanswered`. */
  | { type: 'ask'; seq: number; demand: Demand };

export type Verdict = 'accepted' | 'rate_limited' | 'queue_full' | 'stale' | 'unknown';

export interface Step {
  state: State;
  effects: Effect[];
  verdict: Verdict;
}

export const nothing: Demand = { slots: [], wants: 0 };

/** `told`: the last demand that the fleet is known to have received. */
export function newFleetLink(told: Demand | null): FleetLink {
  return { told, asked: null, nextSeq: 1, failures: 0, called: false, deadline: told ? null : 0 };
}

export const empty: State = {
  ...{ nextSeq: 1, spent: [], tasks: new Map(), deletions: new Map(), erasuresFrom: 0 },
  fleet: newFleetLink(nothing),
};

export function put(state: State, task: LiveTask): State {
  return { ...state, tasks: new Map(state.tasks).set(task.id, task) };
}

export function drop(state: State, task: LiveTask): State {
  const tasks = new Map(state.tasks);
  tasks.delete(task.id);
  return { ...state, tasks };
}

export function unchanged(state: State): Step {
  return { state, effects: [], verdict: 'accepted' };
}

export function stale(state: State): Step {
  return { state, effects: [], verdict: 'stale' };
}
