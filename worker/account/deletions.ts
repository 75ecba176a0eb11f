/** A task that is being deleted: its files and its record go until both are gone, however often that is interrupted. */
export interface Deletion {
  readonly id: string;
  /** When it is tried again, epoch ms. */
  readonly deadline: number;
  /** How long it waits after that, ms. */
  readonly pause: number;
}

type Deletions = ReadonlyMap<string, Deletion>;

/** Longer than erasing takes, so that two tries seldom meet; where they do, the second finds nothing. */
const FIRST_PAUSE_MS = 10_000;
export const LONGEST_PAUSE_MS = 600_000;

export function withDeletion(deletions: Deletions, id: string, now: number): Deletions {
  return new Map(deletions).set(id, { id, deadline: now + FIRST_PAUSE_MS, pause: 2 * FIRST_PAUSE_MS });
}

export function erased(deletions: Deletions, id: string): Deletions {
  if (!deletions.has(id)) return deletions;
  const rest = new Map(deletions);
  rest.delete(id);
  return rest;
}

/** Those to be tried now, and all with what comes after this try. */
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

/** The earliest moment at which one is to be tried; null where there is none. */
export function nextErasure(deletions: Deletions): number | null {
  let earliest: number | null = null;
  for (const { deadline } of deletions.values())
    if (earliest === null || deadline < earliest) earliest = deadline;
  return earliest;
}
