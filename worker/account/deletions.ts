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

export function withDeletion(deletions: Deletions, id: string, now: number): Deletions {
  return new Map(deletions).set(id, { id, deadline: now + FIRST_PAUSE_MS, pause: 2 * FIRST_PAUSE_MS });
}

export function withoutDeletion(deletions: Deletions, id: string): Deletions {
  if (!deletions.has(id)) return deletions;
  const rest = new Map(deletions);
  rest.delete(id);
  return rest;
}

/** Returns the deletions due now, and all deletions with their next try scheduled. */
export function overdue(deletions: Deletions, now: number): { deletions: Deletions; due: string[] } {
  const next = new Map(deletions);
  const due: string[] = [];
  for (const { id, deadline, pause } of deletions.values()) {
    if (deadline > now) continue;
    due.push(id);
    next.set(id, { id, deadline: now + pause, pause: Math.min(2 * pause, LONGEST_PAUSE_MS) });
  }
  return { deletions: next, due };
}

/** Time of the earliest next try; null if there is none. */
export function nextErasure(deletions: Deletions): number | null {
  let earliest: number | null = null;
  for (const { deadline } of deletions.values())
    if (earliest === null || deadline < earliest) earliest = deadline;
  return earliest;
}
