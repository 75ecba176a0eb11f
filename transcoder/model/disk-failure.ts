import { TaskFailure } from './task-failure.ts';

const FULL = 'The machine ran out of disk space while it processed this task.';
const LARGE = 'A file of this task became larger than your plan allows.';

/** A full disk or exceeded quota, as an error code or in a program's output. */
const full = /\bENOSPC\b|\bEDQUOT\b|No space left on device|Disk quota exceeded/;
const large = /\bEFBIG\b|File too large/;

/** The failure described by a program's error text; null if it is not about a write. */
export function diskFailureIn(text: string): TaskFailure | null {
  const cause = () => ({ cause: new Error(text.slice(-2000)) });
  if (full.test(text)) return new TaskFailure('out_of_disk', FULL, cause());
  return large.test(text) ? new TaskFailure('output_too_large', LARGE, cause()) : null;
}

/** The failure described by a file system error anywhere in the cause chain; null if there is none. */
export function diskFailureOf(error: unknown): TaskFailure | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') return new TaskFailure('out_of_disk', FULL, { cause: error });
    if (code === 'EFBIG') return new TaskFailure('output_too_large', LARGE, { cause: error });
  }
  return null;
}
