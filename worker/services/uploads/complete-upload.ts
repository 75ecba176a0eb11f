import type { ResponseCode } from '../../../schema/api/errors.ts';
import { planOf } from '../../../schema/api/plans.ts';
import { partSizes, type Upload, uploadCompletion } from '../../../schema/api/upload.ts';
import type { Context } from '../../context.ts';
import { fieldProblem, Problem, parseInput } from '../../lib/problem.ts';
import type { Caller } from '../../repos/keys.ts';
import type { UploadRow } from '../../repos/uploads.ts';
import { contentType } from './content-type.ts';
import { digestOnce } from './digest-once.ts';
import { findUpload } from './find-upload.ts';
import { uploadView } from './upload-view.ts';

/** A file that will never be what was announced. */
interface Refused {
  code: ResponseCode;
  detail: string;
}

type Checked = Refused | { mediaType: string };

/**
 * Checks a file that was sent and makes it a source. Completing it again has the same outcome.
 * @throws Problem upload_not_found, upload_expired, upload_incomplete, validation_failed, upload_size_mismatch,
 * upload_checksum_mismatch, upload_not_media
 */
export async function completeUpload(
  context: Context,
  caller: Caller,
  id: string,
  body: unknown,
): Promise<Upload> {
  const row = await findUpload(context, caller, id);
  const { parts = [] } = parseInput(uploadCompletion, body);
  const settled = answerOf(row);
  if (settled === null) {
    await joinParts(context, row, parts);
    const checked = await check(context, row);
    if (checked) await settle(context, caller, row, checked);
  }
  // Another request may have settled or deleted it in the meantime, or it has expired.
  const after = settled ?? (await findUpload(context, caller, id));
  if (answerOf(after) === null) {
    throw new Problem(
      'upload_incomplete',
      'No file has arrived. Send it with PUT to `url`, with all `headers`; then complete the upload.',
    );
  }
  return uploadView(context.config, after, Date.now());
}

async function settle(
  { uploads, uploadFiles }: Context,
  { accountId, plan }: Caller,
  row: UploadRow,
  checked: Checked,
): Promise<void> {
  const now = Date.now();
  const outcome =
    'code' in checked
      ? { status: 'failed' as const, error: checked, fileRemovedAt: now }
      : {
          status: 'ready' as const,
          mediaType: checked.mediaType,
          completedAt: now,
          expiresAt: now + planOf(plan).retention_seconds * 1000,
        };
  const changed = await uploads.settle(accountId, row.id, now, outcome);
  if (changed?.status === 'failed') await uploadFiles.remove([row]);
}

/** A completed upload, or null if it waits. @throws Problem the reason for which it was refused, or upload_expired */
function answerOf(row: UploadRow): UploadRow | null {
  if (row.error) throw new Problem(row.error.code as ResponseCode, row.error.detail);
  if (row.expiresAt <= Date.now()) throw new Problem('upload_expired');
  return row.status === 'ready' ? row : null;
}

type Parts = readonly { number: number; etag: string }[];

async function joinParts({ uploadFiles }: Context, row: UploadRow, parts: Parts): Promise<void> {
  const { id, multipartId, sizeBytes } = row;
  if (multipartId === null) {
    if (parts.length > 0) throw wrongParts('This file is sent whole, to `url`. Leave out `parts`.');
    return;
  }
  const count = partSizes(sizeBytes).length;
  const etags = new Map(parts.map(({ number, etag }) => [number, etag.replace(/^"|"$/g, '')]));
  const unknown = parts.find(({ number }) => number > count);
  if (unknown) throw wrongParts(`There is no part ${unknown.number}. The file has ${count} parts.`);
  if (etags.size < parts.length) throw wrongParts('A part is listed twice. List each part once.');
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const missing = numbers.filter((number) => !etags.has(number));
  if (missing.length > 0)
    throw incomplete(
      '/parts',
      `Missing: ${missing.slice(0, 20).join(', ')}. List the ETags of all ${count} parts.`,
    );
  const joined = await uploadFiles.join(
    id,
    multipartId,
    numbers.map((partNumber) => ({ partNumber, etag: etags.get(partNumber) ?? '' })),
  );
  if (joined) return;
  throw incomplete(
    '/parts',
    'The storage does not have a part with one of these ETags. Send the part again, and give the ETag of its last response.',
  );
}

function wrongParts(detail: string): Problem {
  return fieldProblem('validation_failed', [{ pointer: '/parts', code: 'invalid_parts', detail }]);
}

function incomplete(pointer: string, detail: string): Problem {
  return fieldProblem('upload_incomplete', [{ pointer, code: 'upload_incomplete', detail }]);
}

/** @returns null if no file has arrived, or another request has settled the upload. @throws Problem unavailable */
async function check(context: Context, row: UploadRow): Promise<Checked | null> {
  const { uploadFiles } = context;
  const { id, sizeBytes, sha256 } = row;
  const file = await uploadFiles.find(id);
  if (!file) return null;
  if (file.size !== sizeBytes) {
    return {
      code: 'upload_size_mismatch',
      detail: `The file has ${file.size} bytes; size_bytes is ${sizeBytes}. Create a new upload with the right size.`,
    };
  }
  // The storage checks it when it receives a file whole. It knows no checksum of a file in parts.
  const known = sha256 === null || file.sha256 !== null ? file : await digestOnce(context, row);
  if (known === null) return null;
  const found = sha256 === null ? null : known.sha256;
  if (found !== sha256) {
    return {
      code: 'upload_checksum_mismatch',
      detail: `The SHA-256 of the file is ${found}; sha256 is ${sha256}. Create a new upload and send the file again.`,
    };
  }
  const read = async (at: number, length: number) =>
    at < file.size ? uploadFiles.bytes(id, at, Math.min(length, file.size - at)) : new Uint8Array();
  const content = await contentType(read);
  if ('mediaType' in content) return content;
  return {
    code: 'upload_not_media',
    detail: `The file is ${content.what}. Upload a video, audio, image or caption file.`,
  };
}
