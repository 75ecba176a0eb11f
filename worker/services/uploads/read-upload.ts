import type { Upload, UploadList, UploadListQuery } from '../../../schema/api/upload.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../repos/keys.ts';
import { findUpload } from './find-upload.ts';
import { uploadSummary, uploadView } from './upload-view.ts';

/** @throws Problem upload_not_found */
export async function readUpload(context: Context, caller: Caller, id: string): Promise<Upload> {
  return uploadView(context.config, await findUpload(context, caller, id), Date.now());
}

/** A page of the caller's uploads, newest first, without their URLs. */
export async function listUploads(
  { uploads }: Context,
  { accountId }: Caller,
  { limit, cursor }: UploadListQuery,
): Promise<UploadList> {
  const now = Date.now();
  const rows = await uploads.list(accountId, cursor, limit + 1);
  const page = rows.slice(0, limit);
  const more = rows.length > limit;
  return {
    object: 'list',
    data: page.map((row) => uploadSummary(row, now)),
    has_more: more,
    next_cursor: more ? (page.at(-1)?.id ?? null) : null,
  };
}
