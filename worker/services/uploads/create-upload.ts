import { orUpgrade, type PlanName, planOf } from '../../../schema/api/plans.ts';
import {
  MAX_WAITING_UPLOADS,
  newUpload,
  partSizes,
  UPLOAD_SECONDS,
  type Upload,
} from '../../../schema/api/upload.ts';
import { newId } from '../../../schema/task/ids.ts';
import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import { confirmed } from '../../lib/outage.ts';
import { canPresign } from '../../lib/presigned-put.ts';
import { fieldProblem, Problem, parseInput } from '../../lib/problem.ts';
import type { Caller } from '../../repos/keys.ts';
import { subscriptionRequired } from '../billing/subscription-required.ts';
import { uploadView } from './upload-view.ts';

/**
 * Creates an upload, with the URLs to which its file is sent.
 * @throws Problem uploads_unavailable, subscription_required, validation_failed, upload_storage_full
 */
export async function createUpload(context: Context, caller: Caller, body: unknown): Promise<Upload> {
  const { accountId, plan, subscription } = caller;
  const { config, uploads, uploadFiles } = context;
  if (!canPresign(config)) throw new Problem('uploads_unavailable');
  if (subscription !== 'active') throw subscriptionRequired(config, accountId);
  const given = parseInput(newUpload, body);
  const { source_bytes, upload_bytes } = planOf(plan);
  if (given.size_bytes > source_bytes) {
    const detail = `The file has ${given.size_bytes} bytes; the ${plan} plan allows sources of at most ${source_bytes} bytes. Use a smaller file${orUpgrade(plan)}.`;
    throw fieldProblem('validation_failed', [{ pointer: '/size_bytes', code: 'plan_limit', detail }]);
  }
  const now = Date.now();
  const id = newId('upload', now);
  const inParts = partSizes(given.size_bytes).length > 0;
  const row = {
    id,
    accountId,
    fileName: given.file_name,
    sizeBytes: given.size_bytes,
    mediaType: given.media_type ?? null,
    sha256: given.sha256 ?? null,
    multipartId: inParts ? await uploadFiles.begin(id) : null,
    createdAt: now,
    expiresAt: now + UPLOAD_SECONDS * 1000,
  };
  const most = { bytes: upload_bytes, waiting: MAX_WAITING_UPLOADS };
  const create = async () => ({ full: await uploads.create(row, most) });
  const created = async () => ((await uploads.read(accountId, id)) ? { full: null } : null);
  const { full } = await confirmed(create, created).catch(async (error: unknown) => {
    await undo(context, row);
    throw error;
  });
  if (full) {
    await uploadFiles.remove([row]);
    throw storageFull(plan, most, full);
  }
  const waiting = {
    status: 'waiting',
    error: null,
    completedAt: null,
    fileRemovedAt: null,
    checkedUntil: null,
  } as const;
  return uploadView(config, { ...row, ...waiting }, now);
}

/**
 * Deletes what a creation that failed may have left: its record, if only the answer was lost, and the parts that no record names. R2 ends
 * what is left even then after seven days: https://developers.cloudflare.com/r2/buckets/object-lifecycles/
 */
async function undo(
  { uploads, uploadFiles }: Context,
  row: { id: string; accountId: string; multipartId: string | null },
): Promise<void> {
  const undone = await Promise.allSettled([
    uploads.remove(row.accountId, [row.id]),
    ...(row.multipartId === null ? [] : [uploadFiles.remove([row])]),
  ]);
  for (const one of undone)
    if (one.status === 'rejected')
      log('warn', 'upload_not_undone', { upload_id: row.id, error: errorText(one.reason) });
}

function storageFull(
  plan: PlanName,
  most: { bytes: number; waiting: number },
  { bytes, waiting }: { bytes: number; waiting: number },
): Problem {
  if (waiting >= most.waiting) {
    return new Problem(
      'upload_storage_full',
      `${waiting} uploads are waiting for their files, which is the maximum. Complete or delete some of them first.`,
    );
  }
  const detail = `The ${plan} plan stores ${most.bytes} bytes of uploads, of which ${bytes} are used. Delete uploads or wait until some have expired${orUpgrade(plan)}.`;
  return fieldProblem('upload_storage_full', [{ pointer: '/size_bytes', code: 'plan_limit', detail }]);
}
