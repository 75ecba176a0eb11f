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

/** After this time, a record that was neither confirmed nor given up is treated as written; the dispatch finds out. */
const RECORDING_MS = 60_000;
/** The queue retries by itself; this covers messages that never arrive. */
const DISPATCH_MS = 120_000;

export function admit(
  state: State,
  event: Pick<LiveTask, 'id' | 'requestId' | 'work'> & { sources?: readonly string[] },
  policy: Policy,
  now: number,
): Step {
  const spent = stillSpent(state.spent, now);
  if (rateState(spent, policy, now).remaining === 0) {
    return { state: { ...state, spent }, effects: [], verdict: 'rate_limited' };
  }
  const charged: State = { ...state, spent: [...spent, now] };
  if (state.tasks.size >= policy.running + policy.waiting) {
    return { state: charged, effects: [], verdict: 'queue_full' };
  }
  const after = (event.sources ?? []).filter((id) => state.tasks.has(id));
  const task: LiveTask = {
    id: event.id,
    seq: state.nextSeq,
    requestId: event.requestId,
    work: event.work,
    phase: 'recording',
    slot: null,
    attempt: 1,
    losses: 0,
    failures: 0,
    deadline: now + RECORDING_MS,
    latest: Number.POSITIVE_INFINITY,
    ...(after.length > 0 ? { after } : {}),
  };
  return unchanged(put({ ...charged, nextSeq: state.nextSeq + 1 }, task));
}

export function recorded(state: State, task: LiveTask, now: number): Step {
  if (task.slot === null) return unchanged(put(state, { ...task, phase: 'waiting', deadline: null }));
  return dispatch(state, task, now);
}

/**
 * Whether the task waits for the end of another one. It only names tasks that came before it, so no two tasks wait for each other, and
 * each of them ends or is deleted.
 */
const waitsForSource = ({ after = [] }: LiveTask, { tasks }: State) => after.some((id) => tasks.has(id));

/** The tasks that could use a permit now, first come, first served. */
export function lineOf(state: State): LiveTask[] {
  return [...state.tasks.values()]
    .filter((task) => task.slot === null && task.phase !== 'backoff' && !waitsForSource(task, state))
    .sort((a, b) => a.seq - b.seq);
}

/** Gives the granted slots to the first tasks in line and returns unused ones. */
export function place(state: State, slots: readonly number[], now: number): Step {
  let next = state;
  const effects: Effect[] = [];
  const taken = new Set([...state.tasks.values()].map(({ slot }) => slot));
  const line = lineOf(state);
  for (const slot of slots) {
    if (taken.has(slot)) continue;
    const first = line.shift();
    if (!first) break;
    const placed: LiveTask = { ...first, slot };
    const step = placed.phase === 'recording' ? unchanged(put(next, placed)) : dispatch(next, placed, now);
    next = step.state;
    effects.push(...step.effects);
  }
  return { state: next, effects, verdict: 'accepted' };
}

export function dispatch(state: State, task: LiveTask, now: number): Step {
  const next: LiveTask = { ...task, phase: 'dispatching', deadline: now + DISPATCH_MS };
  return { state: put(state, next), effects: [{ type: 'dispatch', task: next }], verdict: 'accepted' };
}
