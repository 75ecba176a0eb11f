import { TaskFailure } from '../../model/task-failure.ts';

/** Printer profiles, the largest in use, have 2 to 3 MB. */
export const MOST_PROFILE_BYTES = 4 * 1024 * 1024;
/** EXIF comes from JPEG, whose segments are at most this long. */
export const MOST_EXIF_BYTES = 64 * 1024;

export function profileTooLarge(): TaskFailure {
  return new TaskFailure(
    'source_too_large',
    `The color profile of the picture is larger than ${MOST_PROFILE_BYTES / 1024 ** 2} MiB.`,
  );
}
