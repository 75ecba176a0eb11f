import { ApiError } from './errors.ts';
import type { Upload } from './printed/schemas.ts';
import { type Content, LocalFile } from './source.ts';
import type { Transport } from './transport.ts';

export interface UploadOptions {
  /** Name of the file; of a `File` or of a file on disk, its own. */
  fileName?: string;
  /** SHA-256 in hexadecimal, which the service compares with what arrived. */
  sha256?: string;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { sent: number; total: number }) => void) | undefined;
}

/** Parts that are sent at the same time. */
const PARALLEL = 3;
/** A part may take this long on a slow line. */
const PART_TIMEOUT_MS = 30 * 60_000;
/** The service reads a file in parts again if it has a checksum. */
const COMPLETE_TIMEOUT_MS = 5 * 60_000;

/** Characters that the service accepts in the name of a file. */
const MOST_NAME = 200;

/** Sends a file to the object store of the service. Its bytes are read part by part. @throws ApiError with the file */
export async function uploadFile(
  transport: Transport,
  file: Blob | LocalFile,
  options: UploadOptions = {},
): Promise<Upload> {
  try {
    return await createAndSend(transport, file, options);
  } catch (error) {
    if (error instanceof ApiError) error.file = file;
    throw error;
  }
}

async function createAndSend(
  transport: Transport,
  file: Blob | LocalFile,
  { fileName, sha256, signal, onProgress }: UploadOptions,
): Promise<Upload> {
  const content: Content = file instanceof LocalFile ? await file.open() : file;
  const created = await transport.json<Upload>('POST', '/uploads', {
    json: {
      file_name: fileName ?? nameOf(content),
      size_bytes: content.size,
      media_type: mediaTypeOf(content.type),
      ...(sha256 === undefined ? {} : { sha256 }),
    },
    signal,
    repeatable: true,
  });
  try {
    const parts = await sendParts(transport, created, content, { signal, onProgress });
    return await transport.json<Upload>('POST', `/uploads/${created.id}/complete`, {
      ...{ json: parts.length > 0 ? { parts } : {}, signal, timeoutMs: COMPLETE_TIMEOUT_MS },
      repeatable: true,
    });
  } catch (error) {
    discard(transport, [created]);
    throw error;
  }
}

/** Deletes uploads that were made for one request. Not awaited: an upload that stays behind expires. */
export function discard(transport: Transport, uploads: Iterable<Upload>): void {
  for (const { id } of uploads) transport.request('DELETE', `/uploads/${id}`).catch(() => undefined);
}

/** A name that the service accepts, whatever the file is called; of a long one the end, with its extension. */
function nameOf(content: object): string {
  const name = 'name' in content && typeof content.name === 'string' ? content.name : '';
  // The first character that is left may be the second half of one that is not.
  const shown = name
    .replaceAll(/[/\\\p{Cc}]/gu, '_')
    .slice(-MOST_NAME)
    .replace(/^[\uDC00-\uDFFF]/, '');
  return /^\.{0,2}$/.test(shown) ? 'upload' : shown;
}

/** Without the codecs of a recording, such as `video/webm;codecs=vp8,opus`; undefined if it is not a media type. */
const mediaTypeOf = (type: string) => /^[\w.+-]+\/[\w.+-]+(?=\s*(?:;|$))/.exec(type)?.[0];

/** @returns the ETag of each part; nothing for a file that is sent whole. */
async function sendParts(
  transport: Transport,
  { url, headers, parts }: Upload,
  content: Content,
  { signal, onProgress }: UploadOptions,
): Promise<{ number: number; etag: string }[]> {
  const total = content.size;
  let sent = 0;
  const send = async (address: string, from: number, to: number) => {
    // A slice has no type. The URL is signed for the headers of the upload alone: no Content-Type may be added.
    const etag = await put(transport, address, headers, await content.slice(from, to), signal);
    sent += to - from;
    onProgress?.({ sent, total });
    return etag;
  };
  onProgress?.({ sent, total });
  if (url !== null) {
    await send(url, 0, total);
    return [];
  }
  let at = 0;
  const waiting = parts.map(({ number, url: address, size_bytes }) => {
    const from = at;
    at += size_bytes;
    return { number, address, from, to: at };
  });
  const etags: { number: number; etag: string }[] = [];
  const sendNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      etags.push({ number: next.number, etag: await send(next.address, next.from, next.to) });
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, sendNext));
  } finally {
    // One part has failed for good: the rest need not be sent.
    waiting.length = 0;
  }
  return etags;
}

async function put(
  transport: Transport,
  url: string,
  headers: Record<string, string>,
  body: Blob,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    const init = { method: 'PUT', headers, body };
    const response = await transport.fetch(url, init, { signal, timeoutMs: PART_TIMEOUT_MS });
    return response.headers.get('etag') ?? '';
  } catch (error) {
    // An earlier try has arrived, but its response got lost. Completing the upload checks the file.
    if (error instanceof ApiError && error.status === 412) return '';
    throw error;
  }
}

/** Uploads every file in a request, each once, and puts `upload:<id>` in its place. */
export async function withUploads<Input>(
  transport: Transport,
  input: Input,
  options: UploadOptions,
): Promise<{ input: Input; uploads: Upload[] }> {
  const done = new Map<Blob | LocalFile, Upload>();
  const replace = async (value: unknown): Promise<unknown> => {
    if (value instanceof Blob || value instanceof LocalFile) {
      const upload = done.get(value) ?? (await uploadFile(transport, value, options));
      done.set(value, upload);
      return `upload:${upload.id}`;
    }
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await replace(item));
      return items;
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) entries.push([key, await replace(inner)]);
    return Object.fromEntries(entries);
  };
  try {
    return { input: (await replace(input)) as Input, uploads: [...done.values()] };
  } catch (error) {
    discard(transport, done.values());
    throw error;
  }
}
