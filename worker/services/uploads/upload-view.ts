import { partSizes, putHeaders, type Upload } from '../../../schema/api/upload.ts';
import { iso, isoOrNull } from '../../../schema/time.ts';
import type { Config } from '../../env.ts';
import { presignedPut } from '../../lib/presigned-put.ts';
import { uploadKey } from '../../repos/upload-files.ts';
import type { UploadRow } from '../../repos/uploads.ts';

/** An upload without its URLs, as lists show it. */
export function uploadSummary(row: UploadRow, now: number): Upload {
  return {
    object: 'upload',
    id: row.id,
    status: row.status !== 'failed' && row.expiresAt <= now ? 'expired' : row.status,
    file_name: row.fileName,
    size_bytes: row.sizeBytes,
    media_type: row.mediaType,
    sha256: row.sha256,
    method: 'PUT',
    url: null,
    headers: {},
    parts: [],
    error: row.error,
    created_at: iso(row.createdAt),
    completed_at: isoOrNull(row.completedAt),
    expires_at: iso(row.expiresAt),
  };
}

/** An upload with the URLs to which its file is sent, as long as it waits for it. */
export async function uploadView(config: Config, row: UploadRow, now: number): Promise<Upload> {
  const summary = uploadSummary(row, now);
  if (summary.status !== 'waiting') return summary;
  const { sizeBytes, multipartId, expiresAt } = row;
  const key = uploadKey(row.id);
  if (multipartId === null) {
    const headers = singleHeaders(row);
    const url = await presignedPut(config, { key, bytes: sizeBytes, headers, expiresAt }, now);
    return { ...summary, url, headers };
  }
  const parts = await Promise.all(
    partSizes(sizeBytes).map(async (bytes, index) => {
      const number = index + 1;
      const part = { number, multipartId };
      return {
        number,
        url: await presignedPut(config, { key, bytes, part, expiresAt }, now),
        size_bytes: bytes,
      };
    }),
  );
  return { ...summary, parts };
}

function singleHeaders({ sha256 }: UploadRow): Record<string, string> {
  // A file that was checked must stay the one that was checked, although its URL still works.
  const once = { [putHeaders.once]: '*' };
  return sha256 === null ? once : { ...once, [putHeaders.sha256]: base64OfHex(sha256) };
}

function base64OfHex(hex: string): string {
  return btoa(hex.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
}
