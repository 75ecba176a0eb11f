import type { Status } from '../../schema/task/task.ts';

/** The parts of a task record that concern its objects. */
interface Holding {
  status: Status;
  attempt: number;
  keys: readonly string[];
  expiresAt: number | null;
  /** Whether a live task reads the result. */
  held: boolean;
}

/** The task and attempt that an object belongs to; null if the key was not written by this service. */
export function ownerOf(key: string): { taskId: string; attempt: number } | null {
  const [, taskId, attempt] = /^t\/([^/]+)\/(\d+)\/./.exec(key) ?? [];
  return taskId === undefined ? null : { taskId, attempt: Number(attempt) };
}

/**
 * Whether an object is no longer needed: its task is gone or has failed, has expired and no live task reads it, has another
 * result, or is past the attempt that stored the object.
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
      // The record may lag behind by one start that could not be written, but is never ahead.
      return attempt < holding.attempt;
  }
}
