/** A deletion in progress. It is retried until the files and the record of the task are gone, even after interruptions. */
export interface Deletion {
  readonly id: string;
  /** Time of the next try, epoch ms. */
  readonly deadline: number;
  /** Pause before the try after that, ms. */
  readonly pause: number;
}

type Deletions = ReadonlyMap<string, Deletion>;

/** Longer than a deletion takes, so two tries rarely overlap. If they do, the second one finds nothing to delete. */
const FIRST_PAUSE_MS = 10_000;
export const LONGEST_PAUSE_MS = 600_000;
/**
 * Deletions that are tried at once, and the time until the next ones. After an outage thousands may be due, and the calls to other
 * services that one event may make are limited: if all were tried, none would get to its end.
 */
const AT_ONCE = 20;
export const BATCH_PAUSE_MS = 1000;

export function withDeletion(deletions: Deletions, id: string, now: number): Deletions {
  return new Map(deletions).set(id, { id, deadline: now + FIRST_PAUSE_MS, pause: 2 * FIRST_PAUSE_MS });
}

export function withoutDeletion(deletions: Deletions, id: string): Deletions {
  if (!deletions.has(id)) return deletions;
  const rest = new Map(deletions);
  rest.delete(id);
  return rest;
}

/** The deletions to try now, the longest due first, with their next try scheduled; `more`: others are due too. */
export function overdue(
  deletions: Deletions,
  now: number,
): { deletions: Deletions; due: string[]; more: boolean } {
  const all = [...deletions.values()].filter(({ deadline }) => deadline <= now);
  if (all.length === 0) return { deletions, due: [], more: false };
  const tried = all.sort((a, b) => a.deadline - b.deadline).slice(0, AT_ONCE);
  const next = new Map(deletions);
  for (const { id, pause } of tried)
    next.set(id, { id, deadline: now + pause, pause: Math.min(2 * pause, LONGEST_PAUSE_MS) });
  return { deletions: next, due: tried.map(({ id }) => id), more: all.length > tried.length };
}

/** Time of the earliest next try, which is not before `from`; null if there is none. */
export function nextErasure(deletions: Deletions, from: number): number | null {
  let earliest: number | null = null;
  for (const { deadline } of deletions.values())
    if (earliest === null || deadline < earliest) earliest = deadline;
  return earliest === null ? null : Math.max(earliest, from);
}
