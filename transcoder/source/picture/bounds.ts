import { TaskFailure } from '../../model/task-failure.ts';

/** Profiles of printers, the largest there are, have 2 to 3 MB. */
export const MOST_PROFILE_BYTES = 4 * 1024 * 1024;
/** A segment of a JPEG, where EXIF comes from, holds no more. */
export const MOST_EXIF_BYTES = 64 * 1024;

export function profileTooLarge(): TaskFailure {
  return new TaskFailure(
    'source_too_large',
    `The colour profile of the picture is larger than ${MOST_PROFILE_BYTES / 1024 ** 2} MiB.`,
  );
}
