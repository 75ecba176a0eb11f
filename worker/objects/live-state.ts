import type { Plan } from '../../schema/plans.ts';
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
   * `recording`: admitted, its record not yet written · `waiting`: in line · `dispatching`: has a slot, no sign of life yet ·
   * `running` · `backoff`: lost, waits for its next attempt · `ending`: its end is being written.
   */
  readonly phase: 'recording' | 'waiting' | 'dispatching' | 'running' | 'backoff' | 'ending';
  readonly slot: number | null;
  /** Fencing number: every attempt has one of its own. */
  readonly attempt: number;
  /** How many attempts were lost; one that was handed back does not count. */
  readonly losses: number;
  /** When the phase is over if nothing happens, epoch ms; null: never by itself. */
  readonly deadline: number | null;
  /** When an attempt that holds a slot is lost at the latest, whatever is heard of it, epoch ms. */
  readonly latest: number;
  /** Whether its lease was once prolonged because its account could not listen. */
  readonly spared?: boolean;
}

export interface State {
  readonly nextSeq: number;
  /** When the tokens that are out were taken, epoch ms, ascending. */
  readonly spent: readonly number[];
  readonly tasks: ReadonlyMap<string, LiveTask>;
  /** What is deleted but perhaps not yet gone. */
  readonly deletions: ReadonlyMap<string, Deletion>;
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
  | { type: 'erase'; id: string };

export type Verdict = 'accepted' | 'rate_limited' | 'queue_full' | 'stale' | 'unknown';

export interface Step {
  state: State;
  effects: Effect[];
  verdict: Verdict;
}

export const empty: State = { nextSeq: 1, spent: [], tasks: new Map(), deletions: new Map() };

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
