import { HEARTBEAT_SECONDS, LEASE_SECONDS } from '../../schema/task/wire.ts';
import { BATCH_PAUSE_MS, LONGEST_PAUSE_MS } from './deletions.ts';
import type { LiveTask, State } from './live-state.ts';
import { RENEW_MS } from './permits.ts';
import { stillSpent } from './rate.ts';

/**
 * Durable Objects have no monotonic clock that survives a restart, so stored times are compared with a clock that an operator
 * or NTP may change. Two rules limit what a jump of any size can do:
 *
 * - clock set back: no stored time lies further ahead than its own limit (`withinReach`);
 * - clock set forward: a deadline that is noticed far too late means that the account could not listen, not that the machine
 *   was silent (`afterGap`).
 */

/** No phase plans further ahead than this. */
const LONGEST_PHASE_MS = 120_000;
const LEASE_MS = LEASE_SECONDS * 1000;
/** Fallback: the transcoder itself enforces the time limit of a task. */
export const WITH_SIGNS_MS = 8 * 3600_000;
/** Alarms are on time within seconds. */
const LATE_MS = 5000;
/** Two heartbeats. */
const GRACE_MS = 2 * HEARTBEAT_SECONDS * 1000;

/** Moves every stored time within its limit from now; returns the same object if the clock was not set back. */
export function clampTimes(state: State, now: number): State {
  const spent = stillSpent(state.spent, now);
  const tasks = mapped(state.tasks, (task) => reachable(task, now));
  const deletions = mapped(state.deletions, (deletion) =>
    deletion.deadline <= now + LONGEST_PAUSE_MS
      ? deletion
      : { ...deletion, deadline: now + LONGEST_PAUSE_MS },
  );
  const ahead = (state.spent.at(-1) ?? now) > now;
  const link = state.fleet;
  const renewal = now + RENEW_MS;
  const fleet = (link.deadline ?? 0) > renewal ? { ...link, deadline: renewal } : link;
  const erasuresFrom = Math.min(state.erasuresFrom, now + BATCH_PAUSE_MS);
  const paced = erasuresFrom === state.erasuresFrom;
  const same = tasks === state.tasks && deletions === state.deletions && fleet === link && paced;
  if (!ahead && same) return state;
  return { ...state, spent: ahead ? spent : state.spent, tasks, deletions, erasuresFrom, fleet };
}

const hasLease = ({ phase }: LiveTask) => phase === 'accepted' || phase === 'running';

function reachable(task: LiveTask, now: number): LiveTask {
  const deadline = now + (hasLease(task) ? LEASE_MS : LONGEST_PHASE_MS);
  const latest = hasLease(task) || task.phase === 'ending' ? now + WITH_SIGNS_MS : task.latest;
  if ((task.deadline ?? 0) <= deadline && task.latest <= latest) return task;
  return {
    ...task,
    deadline: task.deadline === null ? null : Math.min(task.deadline, deadline),
    latest: Math.min(task.latest, latest),
  };
}

/**
 * Extends a deadline that passed while the account could not listen. An attempt with a lease gets two more heartbeats, once; if
 * alarms stay late, it is lost at the next check.
 */
export function afterGap(task: LiveTask, now: number): LiveTask {
  const gap = task.deadline === null ? 0 : now - task.deadline;
  if (gap < LATE_MS) return task;
  const shifted = { ...task, latest: task.latest + gap };
  if (!hasLease(task) || task.spared) return shifted;
  return { ...shifted, deadline: now + GRACE_MS, spared: true };
}

function mapped<T>(entries: ReadonlyMap<string, T>, change: (entry: T) => T): ReadonlyMap<string, T> {
  let changed: Map<string, T> | null = null;
  for (const [id, entry] of entries) {
    const next = change(entry);
    if (next === entry) continue;
    changed ??= new Map(entries);
    changed.set(id, next);
  }
  return changed ?? entries;
}
