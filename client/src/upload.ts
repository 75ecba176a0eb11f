import { LocalFile } from './source.ts';
import type { Transport } from './transport.ts';

export interface Upload {
  object: 'upload';
  id: string;
  status: string;
  file_name: string;
  size_bytes: number;
  media_type: string | null;
  expires_at: string;
}

interface CreatedUpload extends Upload {
  method: 'PUT';
  url: string | null;
  headers: Record<string, string>;
  parts: { number: number; url: string }[];
}

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

/** Sends a file to the object store of the service. Its bytes are read part by part. */
export async function uploadFile(
  transport: Transport,
  file: Blob | LocalFile,
  { fileName, sha256, signal, onProgress }: UploadOptions = {},
): Promise<Upload> {
  const { blob, name } = file instanceof LocalFile ? await file.open() : { blob: file, name: nameOf(file) };
  const created = await transport.json<CreatedUpload>('POST', '/uploads', {
    json: {
      file_name: fileName ?? name,
      size_bytes: blob.size,
      ...(blob.type === '' ? {} : { media_type: blob.type }),
      ...(sha256 === undefined ? {} : { sha256 }),
    },
    signal,
    repeatable: true,
  });
  try {
    await sendParts(transport, created, blob, signal, onProgress);
    return await transport.json<Upload>('POST', `/uploads/${created.id}/complete`, { signal, repeatable: true });
  } catch (error) {
    // Nobody waits for it: it would expire by itself.
    transport.request('DELETE', `/uploads/${created.id}`).catch(() => undefined);
    throw error;
  }
}

const nameOf = (blob: Blob) => ('name' in blob && typeof blob.name === 'string' ? blob.name : 'upload');

async function sendParts(
  transport: Transport,
  { url, headers, parts }: CreatedUpload,
  blob: Blob,
  signal: AbortSignal | undefined,
  onProgress: UploadOptions['onProgress'],
): Promise<void> {
  const urls = parts.length > 0 ? [...parts].sort((a, b) => a.number - b.number).map((part) => part.url) : [url ?? ''];
  const size = Math.ceil(blob.size / urls.length);
  let sent = 0;
  onProgress?.({ sent, total: blob.size });
  const waiting = [...urls.entries()];
  const sendNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, address] = next;
      const body = blob.slice(index * size, Math.min(blob.size, (index + 1) * size));
      const init = { method: 'PUT', headers, body };
      await transport.fetch(address, init, { signal, timeoutMs: PART_TIMEOUT_MS });
      sent += body.size;
      onProgress?.({ sent, total: blob.size });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, sendNext));
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
  return { input: (await replace(input)) as Input, uploads: [...done.values()] };
}
