import type { Status } from '../../schema/task/task.ts';

/** What the record of a task says of its objects. */
interface Holding {
  status: Status;
  attempt: number;
  keys: readonly string[];
  expiresAt: number | null;
  /** Whether a live task reads the result. */
  held: boolean;
}

/** The task and the attempt that an object belongs to; null for a key that is not of this service. */
export function ownerOf(key: string): { taskId: string; attempt: number } | null {
  const [, taskId, attempt] = /^t\/([^/]+)\/(\d+)\/./.exec(key) ?? [];
  return taskId === undefined ? null : { taskId, attempt: Number(attempt) };
}

/**
 * Whether nobody will ever ask for an object: its task is gone, has failed, has expired and is read by no other, has another result, or is past the
 * attempt that stored it.
 */
export function isStray(key: string, attempt: number, holding: Holding | undefined, now: number): boolean {
  if (!holding) return true;
  switch (holding.status) {
    case 'failed':
      return true;
    case 'completed': {
      const expired = holding.expiresAt !== null && holding.expiresAt <= now && !holding.held;
      return expired || !holding.keys.includes(key);
    }
    case 'queued':
    case 'processing':
      // The record may be behind by a beginning that could not be written, never ahead.
      return attempt < holding.attempt;
  }
}
