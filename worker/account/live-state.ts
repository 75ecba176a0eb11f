import type { Plan } from '../../schema/api/plans.ts';
import type { Deletion } from './deletions.ts';

/** A task that has not ended, as its account knows it. A step that does not touch it leaves it the same object. */
export interface LiveTask {
  readonly id: string;
  /** Order of admission; the line is first come, first served. */
  readonly seq: number;
  readonly requestId: string;
  /** The kind of work, of which the account learns how long it takes. */
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
  /** Fencing number: every attempt has one of its own. */
  readonly attempt: number;
  /** Machines that accepted the task and died. Attempts that never arrived or were handed back do not count. */
  readonly losses: number;
  /** Attempts that ended in a failure which the next machine may not meet. */
  readonly failures: number;
  /** Attempts that ended because the disk of their machine was full. */
  readonly shortages?: number;
  /** When the phase is over if nothing happens, epoch ms; null: never by itself. */
  readonly deadline: number | null;
  /** When an accepted attempt is lost at the latest, whatever is heard of it, epoch ms. */
  readonly latest: number;
  /** Whether its lease was once prolonged because its account could not listen. */
  readonly spared?: boolean;
}

/** What an account holds of the fleet's permits, and how many more it could use now. */
export interface Demand {
  /** Ascending. */
  readonly slots: readonly number[];
  readonly wants: number;
}

/** What the fleet knows of the account's demand. */
export interface FleetLink {
  /** As the fleet knows it; null: unknown, to be stated again at `deadline`. */
  readonly told: Demand | null;
  /** The question that is under way. */
  readonly asked: (Demand & { readonly seq: number }) | null;
  /** Ascending; starts again with the object, until the fleet says what it has heard. */
  readonly nextSeq: number;
  /** Questions without an answer in a row. */
  readonly failures: number;
  /** The fleet called while a question was under way: ask again after the answer. */
  readonly called: boolean;
  /** When the demand is stated again, epoch ms. */
  readonly deadline: number | null;
}

export interface State {
  readonly nextSeq: number;
  /** When the tokens that are out were taken, epoch ms, ascending. */
  readonly spent: readonly number[];
  readonly tasks: ReadonlyMap<string, LiveTask>;
  /** What is deleted but perhaps not yet gone. */
  readonly deletions: ReadonlyMap<string, Deletion>;
  /** Kept in memory only: an account that starts again states its demand anew. */
  readonly fleet: FleetLink;
}

/** What a plan lets an account do; it comes in with the call, so that a change of plan needs no migration here. */
export type Policy = Pick<Plan, 'creations_per_minute' | 'running' | 'waiting'>;

export type Effect =
  /** Send the task to its slot. */
  | { type: 'dispatch'; task: LiveTask }
  /** The first sign of life of an attempt: record that it runs. */
  | { type: 'begin'; task: LiveTask }
  /** Record that the task waits again. */
  | { type: 'requeue'; task: LiveTask }
  /** No attempt is left: record the failure, then send `ended`. */
  | { type: 'give_up'; task: LiveTask }
  /** Tell the transcoder to stop this attempt. */
  | { type: 'stop'; task: LiveTask }
  /** Delete the files and then the record, then send `erased`. */
  | { type: 'erase'; id: string }
  /** Ask the fleet for permits, then send `permitted`, `out_of_date` or `unanswered`. */
  | { type: 'ask'; seq: number; demand: Demand };

export type Verdict = 'accepted' | 'rate_limited' | 'queue_full' | 'stale' | 'unknown';

export interface Step {
  state: State;
  effects: Effect[];
  verdict: Verdict;
}

export const nothing: Demand = { slots: [], wants: 0 };

/** `told`: what the fleet is known to know. */
export function newFleetLink(told: Demand | null): FleetLink {
  return { told, asked: null, nextSeq: 1, failures: 0, called: false, deadline: told ? null : 0 };
}

export const empty: State = {
  ...{ nextSeq: 1, spent: [], tasks: new Map(), deletions: new Map() },
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
