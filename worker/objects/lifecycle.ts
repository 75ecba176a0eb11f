import { ending, expire, handBack, heartbeat, lose } from './attempts.ts';
import { afterGap, withinReach } from './clock.ts';
import { erased, nextErasure, overdue, withDeletion } from './deletions.ts';
import {
  drop,
  type Effect,
  type Policy,
  put,
  type State,
  type Step,
  stale,
  unchanged,
} from './live-state.ts';
import { accept, admit, recorded, thenFill } from './waiting-line.ts';

export type LifeEvent =
  | { type: 'admit'; id: string; requestId: string; work: string }
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

/**
 * The life of an account's live tasks as a pure reducer: `(state, event, now) → (state, effects)`. It holds the creation
 * limit, the waiting line, the plan's slots, leases and attempts; storage, D1, queue and transcoder are the business of
 * whoever applies the effects. What a step does to one attempt is in attempts.ts, who gets a slot in waiting-line.ts.
 */
export function reduce(before: State, event: LifeEvent, policy: Policy, now: number): Step {
  const state = withinReach(before, now);
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
      return ending(state, task, now);
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

function remove(state: State, id: string, policy: Policy, now: number): Step {
  const task = state.tasks.get(id);
  const deletions = withDeletion(state.deletions, id, now);
  const next = task ? drop(state, task) : state;
  const held = task !== undefined && task.slot !== null && task.phase !== 'recording';
  const effects: Effect[] = held ? [{ type: 'stop', task }] : [];
  return thenFill({ state: { ...next, deletions }, effects, verdict: 'accepted' }, policy, now);
}

function tick(state: State, policy: Policy, now: number): Step {
  const { deletions, due } = overdue(state.deletions, now);
  let next: State = due.length > 0 ? { ...state, deletions } : state;
  const effects: Effect[] = due.map((id) => ({ type: 'erase', id }));
  for (const known of state.tasks.values()) {
    if (known.deadline === null || known.deadline > now) continue;
    const task = afterGap(known, now);
    if (task.deadline !== null && task.deadline > now) {
      next = put(next, task);
      continue;
    }
    const step = expire(next, task, now);
    next = step.state;
    effects.push(...step.effects);
  }
  // Only now: a slot goes to the first of all who wait for one at this moment.
  return thenFill({ state: next, effects, verdict: 'accepted' }, policy, now);
}
