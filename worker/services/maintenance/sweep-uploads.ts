import { UPLOAD_RECORD_SECONDS } from '../../../schema/api/upload.ts';
import type { Context } from '../../context.ts';
import { log } from '../../lib/log.ts';
import { UPLOADS_PREFIX, uploadOfKey } from '../../repos/upload-files.ts';

/** Uploads or objects per round. Aborting the parts of an unfinished upload is a request of its own. */
const ROUND = 1000;
const ABORTED = 200;

/** Deletes the files of uploads whose time is over, and the parts of those that were never completed. @returns whether there may be more */
export async function removeExpiredUploads(context: Context, now: number): Promise<boolean> {
  const { uploads, uploadFiles } = context;
  const expired = await uploads.expired(now, ABORTED);
  if (expired.length > 0) {
    await uploadFiles.remove(expired);
    const ids = expired.map(({ id }) => id);
    await uploads.filesRemoved(ids, now);
    log('info', 'uploads_expired', { uploads: expired.length });
  }
  const records = await uploads.removeBefore(now - UPLOAD_RECORD_SECONDS * 1000, ROUND);
  return expired.length === ABORTED || records === ROUND;
}

/** Deletes files that were sent after their upload was deleted or refused. @returns whether there are more before the walk starts over */
export async function removeStrayUploads(context: Context): Promise<boolean> {
  const after = await context.retention.position(UPLOADS_PREFIX);
  const { keys, more } = await context.files.keysAfter(UPLOADS_PREFIX, after, ROUND);
  const owned = keys.flatMap((key) => uploadOfKey(key) ?? []);
  const kept = await context.uploads.kept(owned);
  const strays = owned.filter((id) => !kept.has(id)).map((id) => ({ id, multipartId: null }));
  await context.uploadFiles.remove(strays);
  if (strays.length > 0) log('info', 'stray_uploads_removed', { objects: strays.length });
  await context.retention.setPosition(UPLOADS_PREFIX, more ? (keys.at(-1) ?? '') : '');
  return more;
}
