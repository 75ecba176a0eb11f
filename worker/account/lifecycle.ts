import {
  accepted,
  awaitReport,
  claim,
  disown,
  ending,
  expire,
  fail,
  handBack,
  heartbeat,
  lose,
  returned,
  waitForRoom,
} from './attempts.ts';
import { afterGap, clampTimes } from './clock.ts';
import { BATCH_PAUSE_MS, nextErasure, overdue, withDeletion, withoutDeletion } from './deletions.ts';
import {
  drop,
  type Effect,
  type LiveTask,
  type Policy,
  put,
  type State,
  type Step,
  stale,
  unchanged,
} from './live-state.ts';
import { applyPermits, called, outOfDate, renew, repeatRequest, thenAsk } from './permits.ts';
import { admit, recorded } from './waiting-line.ts';

/**
 * An event of one attempt; ignored unless that attempt is the current one. The `slot` of a message is absent in calls of the previous
 * release.
 */
type AttemptEvent = { id: string; attempt: number } & (
  | { type: 'claimed'; slot?: number }
  | { type: 'accepted' }
  /** The job did not reach a machine; the task waits this long before it is queued again. */
  | { type: 'returned'; pauseMs: number }
  | { type: 'unsure' }
  | { type: 'heartbeat'; started: boolean }
  | { type: 'ending' }
  | { type: 'released' }
  | { type: 'failed' }
  /** The disk of its machine was full. */
  | { type: 'out_of_disk' }
  | { type: 'lost' }
);

export type LifeEvent =
  | AttemptEvent
  /** `sources`: tasks and uploads that the task reads, if any. */
  | { type: 'admit'; id: string; requestId: string; work: string; sources?: readonly string[] }
  | { type: 'recorded'; id: string }
  /** With an attempt number, it applies only if that attempt is still current. */
  | { type: 'ended'; id: string; attempt?: number }
  /** The sender erases the task and then sends `erased`; until then, `tick` repeats the request. */
  | { type: 'deleted'; id: string }
  | { type: 'erased'; id: string }
  | { type: 'permitted'; seq: number; slots: readonly number[] }
  | { type: 'unanswered'; seq: number }
  | { type: 'out_of_date'; seq: number; heard: number }
  | { type: 'called' }
  | { type: 'tick' };

/**
 * The life of an account's live tasks as a pure reducer: `(state, event, now) → (state, effects)`. It covers the creation
 * limit, the waiting line, the plan's slots, leases and attempts. The caller applies the effects to storage, D1, queue, fleet
 * and transcoder.
 *
 * - attempts.ts: steps of one attempt
 * - waiting-line.ts: which task is next
 * - permits.ts: requests to the fleet
 */
export function reduce(state: State, event: LifeEvent, policy: Policy, now: number): Step {
  return thenAsk(take(clampTimes(state, now), event, policy, now), policy, now);
}

function take(state: State, event: LifeEvent, policy: Policy, now: number): Step {
  switch (event.type) {
    case 'admit':
      return admit(state, event, policy, now);
    case 'tick':
      return tick(state, now);
    case 'deleted':
      return remove(state, event.id, now);
    case 'erased':
      return unchanged({ ...state, deletions: withoutDeletion(state.deletions, event.id) });
    case 'permitted':
      return applyPermits(state, event.seq, event.slots, now);
    case 'unanswered':
      return repeatRequest(state, event.seq, now);
    case 'out_of_date':
      return outOfDate(state, event.seq, event.heard, now);
    case 'called':
      return called(state, now);
    default:
  }
  const task = state.tasks.get(event.id);
  if (!task) return { state, effects: [], verdict: 'unknown' };
  if (event.type === 'recorded') {
    return task.phase === 'recording' ? recorded(state, task, now) : unchanged(state);
  }
  if (event.attempt !== undefined && event.attempt !== task.attempt) return stale(state);
  if (event.type === 'ended')
    return event.attempt !== undefined && task.slot === null ? stale(state) : unchanged(drop(state, task));
  if (task.slot !== null) return ofAttempt(state, task, event, now);
  const reports = event.type === 'heartbeat' || event.type === 'released';
  return reports && task.phase !== 'recording' ? disown(state, task) : stale(state);
}

function ofAttempt(state: State, task: LiveTask, event: AttemptEvent, now: number): Step {
  switch (event.type) {
    case 'claimed':
      return claim(state, task, event.slot ?? task.slot, now);
    case 'accepted':
      return accepted(state, task, now);
    case 'returned':
      return returned(state, task, event.pauseMs, now);
    case 'unsure':
      return awaitReport(state, task, now);
    case 'heartbeat':
      return heartbeat(state, task, event.started, now);
    case 'ending':
      return ending(state, task, now);
    case 'released':
      return task.phase === 'ending' ? stale(state) : handBack(state, task);
    case 'failed':
      return task.phase === 'ending' ? stale(state) : fail(state, task, now);
    case 'out_of_disk':
      return task.phase === 'ending' ? stale(state) : waitForRoom(state, task, now);
    case 'lost':
      return task.phase === 'ending' ? stale(state) : lose(state, task, now);
  }
}

/** The earliest time at which `tick` has work to do; null if there is none. */
export function nextDeadline(state: State): number | null {
  let earliest = nextErasure(state.deletions, state.erasuresFrom);
  const note = (deadline: number | null) => {
    if (deadline !== null && (earliest === null || deadline < earliest)) earliest = deadline;
  };
  for (const { deadline } of state.tasks.values()) note(deadline);
  note(state.fleet.deadline);
  return earliest;
}

function remove(state: State, id: string, now: number): Step {
  const task = state.tasks.get(id);
  const deletions = withDeletion(state.deletions, id, now);
  const next = task ? drop(state, task) : state;
  const held = task !== undefined && task.slot !== null && task.phase !== 'recording';
  const effects: Effect[] = held ? [{ type: 'stop', task }] : [];
  return { state: { ...next, deletions }, effects, verdict: 'accepted' };
}

/** The deletions to try again now. */
function erasures(state: State, now: number): { next: State; due: string[] } {
  if (now < state.erasuresFrom) return { next: state, due: [] };
  const { deletions, due, more } = overdue(state.deletions, now);
  const erasuresFrom = more ? now + BATCH_PAUSE_MS : state.erasuresFrom;
  return { next: due.length > 0 ? { ...state, deletions, erasuresFrom } : state, due };
}

function tick(state: State, now: number): Step {
  const { next: erasing, due } = erasures(state, now);
  let next = erasing;
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
  return { state: renew(next, now), effects, verdict: 'accepted' };
}
