import type { Plan } from '../../schema/plans.ts';
import { HEARTBEAT_SECONDS, LEASE_SECONDS } from '../../schema/wire.ts';
import { type Deletion, erased, nextErasure, overdue, withDeletion } from './deletions.ts';
import { rateState, stillSpent } from './rate.ts';

/**
 * The life of an account's live tasks as a pure reducer: `(state, event, now) → (state, effects)`. It holds the creation
 * limit, the waiting line, the plan's slots, leases and attempts; storage, D1, queue and transcoder are the business of
 * whoever applies the effects. Tasks that an event does not touch keep their identity, so a shell can save what changed.
 */
export interface LiveTask {
  readonly id: string;
  /** Order of admission; the line is first come, first served. */
  readonly seq: number;
  readonly requestId: string;
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

export type LifeEvent =
  | { type: 'admit'; id: string; requestId: string }
  | { type: 'recorded'; id: string }
  | { type: 'deferred'; id: string; attempt: number; until: number }
  | { type: 'heartbeat'; id: string; attempt: number }
  | { type: 'ending'; id: string; attempt: number }
  /** With an attempt: only if it is still the current one. */
  | { type: 'ended'; id: string; attempt?: number }
  | { type: 'released'; id: string; attempt: number }
  | { type: 'lost'; id: string; attempt: number }
  /** Whoever sends it erases the task, and then sends `erased`; until that comes, `tick` asks for it again. */
  | { type: 'deleted'; id: string }
  | { type: 'erased'; id: string }
  | { type: 'tick' };

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

const LEASE_MS = LEASE_SECONDS * 1000;
/** Reports come more often than leases need renewing; each renewal is a write. */
const HEARTBEAT_MS = HEARTBEAT_SECONDS * 1000;
/** A record that was neither confirmed nor given up by then is treated as written; dispatch finds out. */
const RECORDING_MS = 60_000;
/** The queue tries for itself; this is for a message that never arrived. */
const DISPATCH_MS = 120_000;
const ENDING_MS = 60_000;
/** As long as the longest task of any plan may take: by then a slot of a transcoder that is full must have become free. */
const WITHOUT_A_SIGN_MS = 2 * 3600_000;
/** The wall time of a task is kept by the transcoder, after its wait for a slot there; this is for one that does not keep it. */
const WITH_SIGNS_MS = 8 * 3600_000;
const BACKOFF_MS = [2_000, 10_000, 60_000] as const;
export const MAX_LOSSES = 3;

export function reduce(state: State, event: LifeEvent, policy: Policy, now: number): Step {
  switch (event.type) {
    case 'admit':
      return admit(state, event, policy, now);
    case 'tick':
      return tick(state, policy, now);
    case 'deleted':
      return remove(state, event.id, policy, now);
    case 'erased':
      return unchanged({ ...state, deletions: erased(state.deletions, event.id) });
    default:
  }
  const task = state.tasks.get(event.id);
  if (!task) return { state, effects: [], verdict: 'unknown' };
  if ('attempt' in event && (event.attempt !== task.attempt || task.slot === null)) {
    return { state, effects: [], verdict: 'stale' };
  }
  switch (event.type) {
    case 'recorded':
      return task.phase === 'recording' ? recorded(state, task, now) : unchanged(state);
    case 'deferred':
      return task.phase === 'dispatching'
        ? unchanged(put(state, { ...task, deadline: event.until }))
        : stale(state);
    case 'heartbeat':
      return heartbeat(state, task, policy, now);
    case 'ending':
      return unchanged(put(state, { ...task, phase: 'ending', deadline: now + ENDING_MS }));
    case 'released':
      return task.phase === 'ending' ? stale(state) : thenFill(handBack(state, task), policy, now);
    case 'lost':
      return task.phase === 'ending' ? stale(state) : thenFill(lose(state, task, now), policy, now);
    case 'ended':
      return accept(drop(state, task), policy, now);
  }
}

/** The earliest moment at which `tick` has something to do; null where there is none. */
export function nextDeadline(state: State): number | null {
  let earliest = nextErasure(state.deletions);
  for (const { deadline } of state.tasks.values()) {
    if (deadline !== null && (earliest === null || deadline < earliest)) earliest = deadline;
  }
  return earliest;
}

function admit(state: State, event: { id: string; requestId: string }, policy: Policy, now: number): Step {
  const spent = stillSpent(state.spent, now);
  if (rateState(spent, policy, now).remaining === 0) {
    return { state: { ...state, spent }, effects: [], verdict: 'rate_limited' };
  }
  const charged: State = { ...state, spent: [...spent, now] };
  const waiting = [...state.tasks.values()].filter((task) => task.slot === null).length;
  if (waiting >= policy.waiting && freeSlot(charged, policy) === null) {
    return { state: charged, effects: [], verdict: 'queue_full' };
  }
  const task: LiveTask = {
    id: event.id,
    seq: state.nextSeq,
    requestId: event.requestId,
    phase: 'recording',
    slot: null,
    attempt: 1,
    losses: 0,
    deadline: now + RECORDING_MS,
    latest: now + WITHOUT_A_SIGN_MS,
  };
  return accept(put({ ...charged, nextSeq: state.nextSeq + 1 }, task), policy, now);
}

function recorded(state: State, task: LiveTask, now: number): Step {
  if (task.slot === null) return unchanged(put(state, { ...task, phase: 'waiting', deadline: null }));
  return dispatch(state, task, now);
}

function heartbeat(state: State, task: LiveTask, policy: Policy, now: number): Step {
  if (task.phase === 'ending') return unchanged(state);
  if (now >= task.latest) return { ...thenFill(lose(state, task, now), policy, now), verdict: 'stale' };
  const fresh = task.phase === 'running' && (task.deadline ?? 0) > now + LEASE_MS - HEARTBEAT_MS;
  if (fresh) return unchanged(state);
  const latest = task.phase === 'running' ? task.latest : now + WITH_SIGNS_MS;
  const next: LiveTask = { ...task, phase: 'running', deadline: now + LEASE_MS, latest };
  const effects: Effect[] = task.phase === 'running' ? [] : [{ type: 'begin', task: next }];
  return { state: put(state, next), effects, verdict: 'accepted' };
}

function remove(state: State, id: string, policy: Policy, now: number): Step {
  const task = state.tasks.get(id);
  const deletions = withDeletion(state.deletions, id, now);
  const next = task ? drop(state, task) : state;
  const held = task !== undefined && task.slot !== null && task.phase !== 'recording';
  const effects: Effect[] = held ? [{ type: 'stop', task }] : [];
  return thenFill({ state: { ...next, deletions }, effects, verdict: 'accepted' }, policy, now);
}

function handBack(state: State, task: LiveTask): Step {
  const next: LiveTask = { ...task, phase: 'waiting', slot: null, attempt: task.attempt + 1, deadline: null };
  return { state: put(state, next), effects: [{ type: 'requeue', task: next }], verdict: 'accepted' };
}

function lose(state: State, task: LiveTask, now: number): Step {
  const losses = task.losses + 1;
  if (losses >= MAX_LOSSES) {
    const last: LiveTask = { ...task, losses, phase: 'ending', deadline: now + ENDING_MS };
    return { state: put(state, last), effects: [{ type: 'give_up', task: last }], verdict: 'accepted' };
  }
  const next: LiveTask = {
    ...task,
    losses,
    phase: 'backoff',
    slot: null,
    attempt: task.attempt + 1,
    deadline: now + (BACKOFF_MS[losses - 1] ?? BACKOFF_MS[2]),
  };
  return { state: put(state, next), effects: [{ type: 'requeue', task: next }], verdict: 'accepted' };
}

function tick(state: State, policy: Policy, now: number): Step {
  const { deletions, due } = overdue(state.deletions, now);
  let next: State = due.length > 0 ? { ...state, deletions } : state;
  const effects: Effect[] = due.map((id) => ({ type: 'erase', id }));
  for (const task of state.tasks.values()) {
    if (task.deadline === null || task.deadline > now) continue;
    const step = expire(next, task, now);
    next = step.state;
    effects.push(...step.effects);
  }
  // Only now: a slot goes to the first of all who wait for one at this moment.
  return thenFill({ state: next, effects, verdict: 'accepted' }, policy, now);
}

function expire(state: State, task: LiveTask, now: number): Step {
  switch (task.phase) {
    case 'recording':
      return recorded(state, task, now);
    case 'dispatching':
      return now >= task.latest ? lose(state, task, now) : dispatch(state, task, now);
    case 'running':
      return lose(state, task, now);
    case 'backoff':
      return unchanged(put(state, { ...task, phase: 'waiting', deadline: null }));
    case 'ending':
      return task.losses >= MAX_LOSSES
        ? {
            state: put(state, { ...task, deadline: now + ENDING_MS }),
            effects: [{ type: 'give_up', task }],
            verdict: 'accepted',
          }
        : lose(state, task, now);
    case 'waiting':
      return unchanged(state);
  }
}

/** Gives free slots to the first of the line. */
function fill(state: State, policy: Policy, now: number): { state: State; effects: Effect[] } {
  let next = state;
  const effects: Effect[] = [];
  const line = [...state.tasks.values()]
    .filter((task) => task.slot === null && task.phase !== 'backoff')
    .sort((a, b) => a.seq - b.seq);
  for (const task of line) {
    const slot = freeSlot(next, policy);
    if (slot === null) break;
    const placed: LiveTask = { ...task, slot, latest: now + WITHOUT_A_SIGN_MS };
    if (placed.phase === 'recording') {
      next = put(next, placed);
      continue;
    }
    const step = dispatch(next, placed, now);
    next = step.state;
    effects.push(...step.effects);
  }
  return { state: next, effects };
}

function dispatch(state: State, task: LiveTask, now: number): Step {
  const next: LiveTask = { ...task, phase: 'dispatching', deadline: now + DISPATCH_MS };
  return { state: put(state, next), effects: [{ type: 'dispatch', task: next }], verdict: 'accepted' };
}

function freeSlot(state: State, policy: Policy): number | null {
  const taken = new Set<number>();
  for (const { slot } of state.tasks.values()) if (slot !== null) taken.add(slot);
  for (let slot = 0; slot < policy.running; slot++) if (!taken.has(slot)) return slot;
  return null;
}

function put(state: State, task: LiveTask): State {
  return { ...state, tasks: new Map(state.tasks).set(task.id, task) };
}

function drop(state: State, task: LiveTask): State {
  const tasks = new Map(state.tasks);
  tasks.delete(task.id);
  return { ...state, tasks };
}

function unchanged(state: State): Step {
  return { state, effects: [], verdict: 'accepted' };
}

function stale(state: State): Step {
  return { state, effects: [], verdict: 'stale' };
}

/** Gives away the slots that a step has left free. */
function thenFill(step: Step, policy: Policy, now: number): Step {
  const { state, effects } = fill(step.state, policy, now);
  return { state, effects: [...step.effects, ...effects], verdict: step.verdict };
}

function accept(state: State, policy: Policy, now: number): Step {
  return thenFill(unchanged(state), policy, now);
}
