import type { Context } from '../../context.ts';
import { confirmedGone } from '../../lib/outage.ts';
import type { Caller } from '../../repos/keys.ts';
import { findUpload } from './find-upload.ts';

/**
 * Deletes an upload and its file. A task that has not read it yet fails with `source_gone`.
 * @throws Problem upload_not_found
 */
export async function deleteUpload(context: Context, caller: Caller, id: string): Promise<void> {
  const row = await findUpload(context, caller, id);
  // The record last: without it, nothing would know the parts of an unfinished file.
  await context.uploadFiles.remove([row]);
  const { uploads } = context;
  await confirmedGone(
    () => uploads.remove(caller.accountId, [id]).then(() => true),
    () => uploads.read(caller.accountId, id),
  );
}
