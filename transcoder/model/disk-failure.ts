import { TaskFailure } from './task-failure.ts';

const FULL = 'The machine ran out of disk space while it processed this task.';
const LARGE = 'A file of this task became larger than your plan allows.';

/** What the system says of a disk, or of a quota on it, that is full: as a code, and in what programs print. */
const full = /\bENOSPC\b|\bEDQUOT\b|No space left on device|Disk quota exceeded/;
const large = /\bEFBIG\b|File too large/;

/** The failure that a program's text about a write means; null where it is about something else. */
export function diskFailureIn(text: string): TaskFailure | null {
  const cause = () => ({ cause: new Error(text.slice(-2000)) });
  if (full.test(text)) return new TaskFailure('out_of_disk', FULL, cause());
  return large.test(text) ? new TaskFailure('output_too_large', LARGE, cause()) : null;
}

/** The failure that an error of the file system means, wherever it stands among the causes of `error`; else null. */
export function diskFailureOf(error: unknown): TaskFailure | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') return new TaskFailure('out_of_disk', FULL, { cause: error });
    if (code === 'EFBIG') return new TaskFailure('output_too_large', LARGE, { cause: error });
  }
  return null;
}
