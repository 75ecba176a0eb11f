import type { Upload, UploadList, UploadListQuery } from '../../../schema/api/upload.ts';
import type { Context } from '../../context.ts';
import { idPage } from '../../lib/id-page.ts';
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
  return idPage(rows, limit, (row) => uploadSummary(row, now));
}
