import { z } from 'zod';
import { idPattern } from '../task/ids.ts';
import { errorCode } from './problem.ts';

/** A larger file is sent in parts. */
export const SINGLE_PUT_BYTES = 100_000_000;
/** Largest part. R2 wants all parts but the last to have the same size, of at least 5 MiB. */
export const PART_BYTES = 50_000_000;
/** How long the URLs of an upload work. */
export const UPLOAD_SECONDS = 6 * 3600;
/** Uploads of an account that have not been completed. */
export const MAX_WAITING_UPLOADS = 1000;
/** How long the record of an upload is kept after its file was deleted. */
export const UPLOAD_RECORD_SECONDS = 7 * 24 * 3600;

/** The headers that the URL of a whole file is signed with, besides the length. */
export const putHeaders = { once: 'If-None-Match', sha256: 'x-amz-checksum-sha256' } as const;

export const uploadStatuses = ['waiting', 'ready', 'failed', 'expired'] as const;

export const uploadId = z
  .string()
  .regex(idPattern('upload'), { error: 'must be an upload id: `upl_` and 26 letters and digits' });

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits in lower case' });
const time = z.iso.datetime();

/** Web pages are the usual wrong file; the content is checked in any case. */
const pageTypes = ['text/html', 'application/xhtml+xml'];

export const newUpload = z.strictObject({
  file_name: z
    .string()
    .min(1)
    .max(200)
    .refine((name) => !/[/\\\p{Cc}]/u.test(name) && name !== '.' && name !== '..', {
      error: 'must be a file name without a path, such as `talk.mp4`',
    })
    .meta({ description: 'Name of the file, without a path. Only shown; the content decides the format.' }),
  size_bytes: z
    .number()
    .int()
    .min(1)
    .meta({ description: 'Exact size of the file in bytes. The URLs accept no other size.' }),
  media_type: z
    .string()
    .max(100)
    .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;.*)?$/, { error: 'must be a media type such as `video/mp4`' })
    .overwrite((type) => type.split(';', 1).join('').trim())
    .refine((type) => !pageTypes.includes(type.toLowerCase()), {
      error: 'must be the type of a video, audio, image or caption file, not of a web page',
    })
    .optional()
    .meta({
      description:
        'Media type of the file, such as `video/mp4`. Parameters such as `;codecs=vp8` are left out. Once `ready`, what the content is.',
    }),
  sha256: sha256.optional().meta({
    description:
      'SHA-256 of the file in hexadecimal. If given, a file with another checksum is refused. Up to 100 MB, the storage itself checks it when it receives the file.',
  }),
});

const part = z.strictObject({
  number: z.number().int().min(1).meta({ description: 'Number of the part, starting at 1.' }),
  url: z.url().meta({ description: 'URL to send the bytes of this part to, with PUT.' }),
  size_bytes: z.number().int().min(1).meta({ description: 'Exact size of this part in bytes.' }),
});

export const upload = z
  .strictObject({
    object: z.literal('upload'),
    id: uploadId.meta({ description: 'Id. `upload:<id>` is accepted wherever a URL of media is.' }),
    status: z.enum(uploadStatuses).meta({
      description:
        '`waiting`: send the file, then complete the upload. `ready`: it can be used as a source. `failed`: `error` says why. `expired`: its file is deleted.',
    }),
    file_name: z.string(),
    size_bytes: z.number().int(),
    media_type: z
      .string()
      .nullable()
      .meta({ description: 'As given; once `ready`, what the first bytes of the content are.' }),
    sha256: sha256.nullable().meta({ description: 'As given.' }),
    method: z.literal('PUT').meta({ description: 'Method for `url` and the URLs of the parts.' }),
    url: z.url().nullable().meta({
      description:
        'URL to send the whole file to. Null if it is sent in parts, and unless `waiting`. It works once: a stored file cannot be replaced.',
    }),
    headers: z.record(z.string(), z.string()).meta({
      description:
        'Headers to send with the file or with each part, exactly as they are. Content-Length is set by every HTTP client.',
    }),
    parts: z.array(part).meta({
      description:
        'For files over 100 MB: the URLs of the parts, in order. The `ETag` of each response is needed to complete the upload. Otherwise empty.',
    }),
    error: z
      .strictObject({ code: errorCode, detail: z.string() })
      .nullable()
      .meta({ description: 'Why the file was refused; null unless `failed`.' }),
    created_at: time.meta({ description: 'Time of creation, ISO 8601 UTC.' }),
    completed_at: time.nullable().meta({ description: 'When it became `ready`, ISO 8601 UTC.' }),
    expires_at: time.meta({
      description:
        'While `waiting`, when its URLs expire. Once `ready`, when the file is deleted. ISO 8601 UTC.',
    }),
  })
  .meta({ id: 'Upload' });
export type Upload = z.output<typeof upload>;

export const uploadCompletion = z.strictObject({
  parts: z
    .array(
      z.strictObject({
        number: z.number().int().min(1).meta({ description: 'Number of the part.' }),
        etag: z.string().min(1).max(1024).meta({ description: 'The `ETag` header of its response.' }),
      }),
    )
    .max(10_000)
    .optional()
    .meta({ description: 'All parts, in any order. Leave out for a file that was sent to `url`.' }),
});

export const uploadListQuery = z.strictObject({
  limit: z.number().int().min(1).max(100).default(20).meta({ description: 'Number of uploads per page.' }),
  cursor: uploadId
    .optional()
    .meta({ description: '`next_cursor` of the previous page. Leave out for the first page.' }),
});
export type UploadListQuery = z.output<typeof uploadListQuery>;

export const uploadList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(upload).meta({ description: 'The uploads, newest first. Get one of them for its URLs.' }),
    has_more: z.boolean().meta({ description: 'Whether there is another page with older uploads.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Value of `cursor` for the next page; null on the last page.' }),
  })
  .meta({ id: 'UploadList' });
export type UploadList = z.output<typeof uploadList>;

export const deletedUpload = z
  .strictObject({ object: z.literal('upload'), id: uploadId, deleted: z.literal(true) })
  .meta({ id: 'DeletedUpload' });

/** Sizes of the parts of a file, in order; all but the last are equal. Empty if it is sent whole. */
export function partSizes(bytes: number): number[] {
  if (bytes <= SINGLE_PUT_BYTES) return [];
  const count = Math.ceil(bytes / PART_BYTES);
  const size = Math.ceil(bytes / count);
  return Array.from({ length: count }, (_, index) => Math.min(size, bytes - index * size));
}
