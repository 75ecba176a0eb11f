import { HEARTBEAT_SECONDS, LEASE_SECONDS } from '../../schema/task/wire.ts';
import { afterGap, WITH_SIGNS_MS } from './clock.ts';
import { type Effect, type LiveTask, put, type State, type Step, stale, unchanged } from './live-state.ts';
import { dispatch, recorded } from './waiting-line.ts';

const LEASE_MS = LEASE_SECONDS * 1000;
/** Reports arrive more often than leases need renewing, and each renewal is a write. */
const HEARTBEAT_MS = HEARTBEAT_SECONDS * 1000;
const ENDING_MS = 60_000;
/** Longer than handing a task to a machine can take. */
const SENDING_MS = 60_000;
/** A machine that has accepted a task reports within this time. */
const UNSURE_MS = 2 * HEARTBEAT_MS;
const BACKOFF_MS = [2_000, 10_000, 60_000] as const;
/** A task that has lost two machines is not given to a third. */
const MAX_LOSSES = 2;
const MAX_ATTEMPTS = 3;
/** Disk space is freed as other tasks end, so a task waits longer for space than for another machine. */
const ROOM_PAUSES_MS = [2_000, 10_000, 30_000, 60_000, 60_000] as const;

/**
 * A queue consumer is about to hand the attempt to the machine of this slot. Only one may, even if the message arrives several times, or
 * after the task has been given another slot.
 */
export function claim(state: State, task: LiveTask, slot: number | null, now: number): Step {
  if (task.phase !== 'dispatching' || task.slot !== slot) return stale(state);
  return unchanged(put(state, { ...task, phase: 'sending', deadline: now + SENDING_MS }));
}

/** A machine has taken the attempt. */
export function accepted(state: State, task: LiveTask, now: number): Step {
  if (task.phase !== 'sending') return unchanged(state);
  return unchanged(put(state, inHands(task, 'accepted', now)));
}

/** The attempt did not reach a machine: the task goes back to the front of the line with the same attempt number. */
export function returned(state: State, task: LiveTask, pauseMs: number, now: number): Step {
  if (task.phase !== 'sending') return stale(state);
  const pause = pauseMs > 0 ? ({ phase: 'backoff', deadline: now + pauseMs } as const) : inLine;
  return unchanged(put(state, { ...task, slot: null, ...pause }));
}

/** It is unknown whether the attempt reached a machine. If it did, the machine reports soon. */
export function awaitReport(state: State, task: LiveTask, now: number): Step {
  if (task.phase !== 'sending') return stale(state);
  return unchanged(put(state, { ...task, phase: 'sending', deadline: now + UNSURE_MS }));
}

/** A sign of life; `started` means that the machine works on the task and no longer has it queued. */
export function heartbeat(state: State, known: LiveTask, started: boolean, now: number): Step {
  if (known.phase === 'ending') return unchanged(state);
  const task = afterGap(known, now);
  if (now >= task.latest) return { ...lose(state, task, now), verdict: 'stale' };
  const phase = started ? 'running' : task.phase === 'running' ? 'running' : 'accepted';
  const fresh = task.phase === phase && (task.deadline ?? 0) > now + LEASE_MS - HEARTBEAT_MS;
  if (fresh) return unchanged(state);
  const next = inHands(task, phase, now);
  const begins = phase === 'running' && task.phase !== 'running';
  const effects: Effect[] = begins ? [{ type: 'begin', task: next }] : [];
  return { state: put(state, next), effects, verdict: 'accepted' };
}

/** A report for an attempt that was thought to have never arrived. Its number is used up, and the machine is stopped. */
export function disown(state: State, task: LiveTask): Step {
  return stale(put(state, { ...task, attempt: task.attempt + 1 }));
}

export function ending(state: State, task: LiveTask, now: number): Step {
  return unchanged(put(state, { ...task, phase: 'ending', deadline: now + ENDING_MS }));
}

/** The attempt ended without a loss: the task goes back to the front of the line with a new attempt number. */
export function handBack(state: State, task: LiveTask): Step {
  const next: LiveTask = {
    ...{ ...task, ...inLine, slot: null, attempt: task.attempt + 1 },
    latest: Number.POSITIVE_INFINITY,
  };
  return { state: put(state, next), effects: [{ type: 'requeue', task: next }], verdict: 'accepted' };
}

/** Whether another attempt follows after a failure that another machine may avoid. */
export function mayTryAgain({ losses, failures }: LiveTask): boolean {
  return losses + failures + 1 < MAX_ATTEMPTS;
}

/** The attempt ended with a failure that another machine may avoid. */
export function fail(state: State, task: LiveTask, now: number): Step {
  return again(state, { ...task, failures: task.failures + 1 }, now);
}

/** Whether another attempt follows after the disk of the machine was full. */
export function mayWaitForRoom({ shortages = 0 }: LiveTask): boolean {
  return shortages < ROOM_PAUSES_MS.length;
}

/** The disk of the machine was full. That is not the task's fault, so it counts neither as a loss nor as a failure. */
export function waitForRoom(state: State, task: LiveTask, now: number): Step {
  const { shortages = 0 } = task;
  return pause(state, { ...task, shortages: shortages + 1 }, now + (ROOM_PAUSES_MS[shortages] ?? 0));
}

/** The machine died during the attempt: another attempt follows after a pause, or none if too many machines were lost. */
export function lose(state: State, task: LiveTask, now: number): Step {
  return again(state, { ...task, losses: task.losses + 1 }, now);
}

/** Handles a task whose phase has reached its deadline. */
export function expire(state: State, task: LiveTask, now: number): Step {
  switch (task.phase) {
    case 'recording':
      return recorded(state, task, now);
    case 'dispatching':
      return dispatch(state, task, now);
    case 'sending':
      return handBack(state, task);
    case 'accepted':
    case 'running':
      return lose(state, task, now);
    case 'backoff':
      return unchanged(put(state, { ...task, ...inLine }));
    case 'ending':
      return isSpent(task) ? giveUp(state, task, now) : handBack(state, task);
    case 'waiting':
      return unchanged(state);
  }
}

const inLine = { phase: 'waiting', deadline: null } as const;

function inHands(task: LiveTask, phase: 'accepted' | 'running', now: number): LiveTask {
  const latest = Math.min(task.latest, now + WITH_SIGNS_MS);
  return { ...task, phase, deadline: now + LEASE_MS, latest, spared: false };
}

const isSpent = ({ losses, failures }: LiveTask) => losses >= MAX_LOSSES || losses + failures >= MAX_ATTEMPTS;

function again(state: State, task: LiveTask, now: number): Step {
  if (isSpent(task)) return giveUp(state, task, now);
  return pause(state, task, now + (BACKOFF_MS[task.losses + task.failures - 1] ?? BACKOFF_MS[2]));
}

/** The task waits for its next attempt until `deadline`. */
function pause(state: State, task: LiveTask, deadline: number): Step {
  const next: LiveTask = {
    ...task,
    phase: 'backoff',
    slot: null,
    attempt: task.attempt + 1,
    deadline,
    latest: Number.POSITIVE_INFINITY,
  };
  return { state: put(state, next), effects: [{ type: 'requeue', task: next }], verdict: 'accepted' };
}

function giveUp(state: State, task: LiveTask, now: number): Step {
  const last: LiveTask = { ...task, phase: 'ending', deadline: now + ENDING_MS };
  return { state: put(state, last), effects: [{ type: 'give_up', task: last }], verdict: 'accepted' };
}
