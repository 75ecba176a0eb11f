import { HEARTBEAT_SECONDS, LEASE_SECONDS } from '../../schema/wire.ts';
import { afterGap, WITH_SIGNS_MS } from './clock.ts';
import {
  type Effect,
  type LiveTask,
  type Policy,
  put,
  type State,
  type Step,
  unchanged,
} from './live-state.ts';
import { dispatch, recorded, thenFill } from './waiting-line.ts';

const LEASE_MS = LEASE_SECONDS * 1000;
/** Reports come more often than leases need renewing; each renewal is a write. */
const HEARTBEAT_MS = HEARTBEAT_SECONDS * 1000;
const ENDING_MS = 60_000;
const BACKOFF_MS = [2_000, 10_000, 60_000] as const;
const MAX_LOSSES = 3;

export function heartbeat(state: State, known: LiveTask, policy: Policy, now: number): Step {
  if (known.phase === 'ending') return unchanged(state);
  const task = afterGap(known, now);
  if (now >= task.latest) return { ...thenFill(lose(state, task, now), policy, now), verdict: 'stale' };
  const fresh = task.phase === 'running' && (task.deadline ?? 0) > now + LEASE_MS - HEARTBEAT_MS;
  if (fresh) return unchanged(state);
  const latest = task.phase === 'running' ? task.latest : now + WITH_SIGNS_MS;
  const next: LiveTask = { ...task, phase: 'running', deadline: now + LEASE_MS, latest, spared: false };
  const effects: Effect[] = task.phase === 'running' ? [] : [{ type: 'begin', task: next }];
  return { state: put(state, next), effects, verdict: 'accepted' };
}

export function ending(state: State, task: LiveTask, now: number): Step {
  return unchanged(put(state, { ...task, phase: 'ending', deadline: now + ENDING_MS }));
}

/** The attempt was given back by a machine that goes away: the next one is not counted as after a loss. */
export function handBack(state: State, task: LiveTask): Step {
  const next: LiveTask = { ...task, phase: 'waiting', slot: null, attempt: task.attempt + 1, deadline: null };
  return { state: put(state, next), effects: [{ type: 'requeue', task: next }], verdict: 'accepted' };
}

/** Whether another attempt follows when this one is lost. */
export function mayBeLost({ losses }: LiveTask): boolean {
  return losses + 1 < MAX_LOSSES;
}

/** The attempt is dead: another one after a pause, or none. */
export function lose(state: State, task: LiveTask, now: number): Step {
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

/** What becomes of a task whose phase has come to its deadline. */
export function expire(state: State, task: LiveTask, now: number): Step {
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
