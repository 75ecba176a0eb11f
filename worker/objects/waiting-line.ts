import {
  type Effect,
  type LiveTask,
  type Policy,
  put,
  type State,
  type Step,
  unchanged,
} from './live-state.ts';
import { rateState, stillSpent } from './rate.ts';

/** A record that was neither confirmed nor given up by then is treated as written; dispatch finds out. */
const RECORDING_MS = 60_000;
/** The queue tries for itself; this is for a message that never arrived. */
const DISPATCH_MS = 120_000;
/** As long as the longest task of any plan may take: by then a slot of a transcoder that is full must have become free. */
export const WITHOUT_A_SIGN_MS = 2 * 3600_000;

export function admit(
  state: State,
  event: Pick<LiveTask, 'id' | 'requestId' | 'work'>,
  policy: Policy,
  now: number,
): Step {
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
    work: event.work,
    phase: 'recording',
    slot: null,
    attempt: 1,
    losses: 0,
    deadline: now + RECORDING_MS,
    latest: now + WITHOUT_A_SIGN_MS,
  };
  return accept(put({ ...charged, nextSeq: state.nextSeq + 1 }, task), policy, now);
}

export function recorded(state: State, task: LiveTask, now: number): Step {
  if (task.slot === null) return unchanged(put(state, { ...task, phase: 'waiting', deadline: null }));
  return dispatch(state, task, now);
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

export function dispatch(state: State, task: LiveTask, now: number): Step {
  const next: LiveTask = { ...task, phase: 'dispatching', deadline: now + DISPATCH_MS };
  return { state: put(state, next), effects: [{ type: 'dispatch', task: next }], verdict: 'accepted' };
}

function freeSlot(state: State, policy: Policy): number | null {
  const taken = new Set<number>();
  for (const { slot } of state.tasks.values()) if (slot !== null) taken.add(slot);
  for (let slot = 0; slot < policy.running; slot++) if (!taken.has(slot)) return slot;
  return null;
}

/** Gives away the slots that a step has left free. */
export function thenFill(step: Step, policy: Policy, now: number): Step {
  const { state, effects } = fill(step.state, policy, now);
  return { state, effects: [...step.effects, ...effects], verdict: step.verdict };
}

export function accept(state: State, policy: Policy, now: number): Step {
  return thenFill(unchanged(state), policy, now);
}
