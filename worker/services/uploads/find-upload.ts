import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import type { Caller } from '../../repos/keys.ts';
import type { UploadRow } from '../../repos/uploads.ts';

/** @throws Problem upload_not_found */
export async function findUpload(
  { uploads }: Context,
  { accountId }: Caller,
  id: string,
): Promise<UploadRow> {
  const row = await uploads.read(accountId, id);
  if (!row) throw new Problem('upload_not_found');
  return row;
}
