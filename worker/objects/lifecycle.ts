import type { Plan } from '../../schema/plans.ts';
import { HEARTBEAT_SECONDS, LEASE_SECONDS } from '../../schema/wire.ts';
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
}

export interface State {
  readonly nextSeq: number;
  /** When the tokens that are out were taken, epoch ms, ascending. */
  readonly spent: readonly number[];
  readonly tasks: ReadonlyMap<string, LiveTask>;
}

/** What a plan lets an account do; it comes in with the call, so that a change of plan needs no migration here. */
export type Policy = Pick<Plan, 'creations_per_minute' | 'running' | 'waiting'>;

export type LifeEvent =
  | { type: 'admit'; id: string; requestId: string }
  | { type: 'recorded'; id: string }
  | { type: 'abandoned'; id: string }
  | { type: 'deferred'; id: string; attempt: number; until: number }
  | { type: 'heartbeat'; id: string; attempt: number }
  | { type: 'ending'; id: string; attempt: number }
  | { type: 'ended'; id: string }
  | { type: 'released'; id: string; attempt: number }
  | { type: 'lost'; id: string; attempt: number }
  | { type: 'deleted'; id: string }
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
  | { type: 'stop'; task: LiveTask };

export type Verdict = 'accepted' | 'rate_limited' | 'queue_full' | 'stale' | 'unknown';

export interface Step {
  state: State;
  effects: Effect[];
  verdict: Verdict;
}

export const empty: State = { nextSeq: 1, spent: [], tasks: new Map() };

const LEASE_MS = LEASE_SECONDS * 1000;
/** Reports come more often than leases need renewing; each renewal is a write. */
const HEARTBEAT_MS = HEARTBEAT_SECONDS * 1000;
/** A record that was neither confirmed nor given up by then is treated as written; dispatch finds out. */
const RECORDING_MS = 60_000;
/** The queue tries for itself; this is for a message that never arrived. */
const DISPATCH_MS = 120_000;
const ENDING_MS = 60_000;
const BACKOFF_MS = [2_000, 10_000, 60_000] as const;
export const MAX_LOSSES = 3;

export function reduce(state: State, event: LifeEvent, policy: Policy, now: number): Step {
  switch (event.type) {
    case 'admit':
      return admit(state, event, policy, now);
    case 'tick':
      return tick(state, policy, now);
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
      return heartbeat(state, task, now);
    case 'ending':
      return unchanged(put(state, { ...task, phase: 'ending', deadline: now + ENDING_MS }));
    case 'released':
      return task.phase === 'ending' ? stale(state) : handBack(state, task, policy, now);
    case 'lost':
      return task.phase === 'ending' ? stale(state) : lose(state, task, policy, now);
    case 'deleted': {
      const { state: next, effects } = fill(drop(state, task), policy, now);
      const running = task.phase === 'running' || task.phase === 'dispatching' || task.phase === 'ending';
      return {
        state: next,
        effects: running ? [{ type: 'stop', task }, ...effects] : effects,
        verdict: 'accepted',
      };
    }
    case 'abandoned':
    case 'ended':
      return accept(drop(state, task), policy, now);
  }
}

/** The earliest moment at which `tick` has something to do; null where there is none. */
export function nextDeadline(state: State): number | null {
  let earliest: number | null = null;
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
  };
  return accept(put({ ...charged, nextSeq: state.nextSeq + 1 }, task), policy, now);
}

function recorded(state: State, task: LiveTask, now: number): Step {
  if (task.slot === null) return unchanged(put(state, { ...task, phase: 'waiting', deadline: null }));
  return dispatch(state, task, now);
}

function heartbeat(state: State, task: LiveTask, now: number): Step {
  if (task.phase === 'ending') return unchanged(state);
  const fresh = task.phase === 'running' && (task.deadline ?? 0) > now + LEASE_MS - HEARTBEAT_MS;
  if (fresh) return unchanged(state);
  const next: LiveTask = { ...task, phase: 'running', deadline: now + LEASE_MS };
  const effects: Effect[] = task.phase === 'running' ? [] : [{ type: 'begin', task: next }];
  return { state: put(state, next), effects, verdict: 'accepted' };
}

function handBack(state: State, task: LiveTask, policy: Policy, now: number): Step {
  const next: LiveTask = { ...task, phase: 'waiting', slot: null, attempt: task.attempt + 1, deadline: null };
  const { state: filled, effects } = fill(put(state, next), policy, now);
  return { state: filled, effects: [{ type: 'requeue', task: next }, ...effects], verdict: 'accepted' };
}

function lose(state: State, task: LiveTask, policy: Policy, now: number): Step {
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
  const { state: filled, effects } = fill(put(state, next), policy, now);
  return { state: filled, effects: [{ type: 'requeue', task: next }, ...effects], verdict: 'accepted' };
}

function tick(state: State, policy: Policy, now: number): Step {
  let next = state;
  const effects: Effect[] = [];
  for (const task of [...state.tasks.values()]) {
    if (task.deadline === null || task.deadline > now) continue;
    const step = expire(next, task, policy, now);
    next = step.state;
    effects.push(...step.effects);
  }
  const filled = fill(next, policy, now);
  return { state: filled.state, effects: [...effects, ...filled.effects], verdict: 'accepted' };
}

function expire(state: State, task: LiveTask, policy: Policy, now: number): Step {
  switch (task.phase) {
    case 'recording':
      return recorded(state, task, now);
    case 'dispatching':
      return dispatch(state, task, now);
    case 'running':
      return lose(state, task, policy, now);
    case 'backoff':
      return unchanged(put(state, { ...task, phase: 'waiting', deadline: null }));
    case 'ending':
      return task.losses >= MAX_LOSSES
        ? {
            state: put(state, { ...task, deadline: now + ENDING_MS }),
            effects: [{ type: 'give_up', task }],
            verdict: 'accepted',
          }
        : lose(state, task, policy, now);
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
    const placed: LiveTask = { ...task, slot };
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

function accept(state: State, policy: Policy, now: number): Step {
  return { ...fill(state, policy, now), verdict: 'accepted' };
}
