import { ApiError, ConnectionError, DownloadError } from './errors.ts';
import { builtin } from './source.ts';
import { pause, type Transport } from './transport.ts';

/** A stream of Node, such as `fs.createWriteStream()` or a response of `node:http`. It is ended with the file. */
export interface NodeWritable {
  write(chunk: Uint8Array, done: (error?: Error | null) => void): unknown;
  end(done: (error?: Error | null) => void): unknown;
  /** A failure of a stream of Node that nothing listens for ends the process. */
  on?(event: 'error', listener: () => void): unknown;
  /** Why it has failed. */
  readonly errored?: Error | null;
}

/** Where a file goes: a path (Node, Deno, Bun), a web stream or a stream of Node. */
export type DownloadTarget = string | WritableStream<Uint8Array> | NodeWritable;

export interface DownloadOptions {
  /** Role of the file in `output.files`; the main file by default. */
  file?: string;
  signal?: AbortSignal;
  onProgress?: (progress: { received: number; total: number }) => void;
}

/** A file of a task, which never changes once the task is completed. */
export interface RemoteFile {
  taskId: string;
  role: string;
  /** Known for the main file. */
  name?: string;
  size: number;
  /** Known for the main file; of others it is the ETag. */
  sha256?: string;
}

/** What is known of the file from responses. */
interface Seen {
  etag?: string | null;
}

/** Connections that may break in a row without a byte between them. */
const BREAKS = 5;
/** Longest wait for the next bytes of a response; then the connection counts as broken. */
const IDLE_MS = 60_000;

/** The bytes of a file from an offset on; a broken connection is continued where it broke. */
export async function* bytesOf(
  transport: Transport,
  file: RemoteFile,
  { from = 0, signal, seen = {} }: { from?: number; signal?: AbortSignal | undefined; seen?: Seen } = {},
): AsyncGenerator<Uint8Array> {
  const { taskId, role, size } = file;
  let breaks = 0;
  for (let at = from; at < size; ) {
    const range: Record<string, string> = at === 0 ? {} : { range: `bytes=${at}-` };
    if (at > 0 && seen.etag) range['if-range'] = seen.etag;
    const response = await transport.request('GET', `/task/${taskId}/download`, {
      ...{ query: { file: role }, headers: range, signal },
    });
    if (at > 0 && response.status !== 206) {
      await response.body?.cancel();
      throw new DownloadError('The service sends the file from its start: it does not continue it.');
    }
    seen.etag = response.headers.get('etag');
    let cause: unknown;
    try {
      for await (const chunk of chunksOf(response)) {
        at += chunk.length;
        breaks = 0;
        yield chunk;
      }
    } catch (error) {
      signal?.throwIfAborted();
      cause = error;
    }
    if (at >= size) return;
    breaks += 1;
    if (breaks > BREAKS) {
      const what = cause instanceof Stalled ? cause.message : 'The connection ended';
      throw new ConnectionError(`${what} after ${at} of ${size} bytes.`, { cause });
    }
    await pause(0.25 * breaks, signal);
  }
}

class Stalled extends Error {
  override readonly message = `The service sent nothing for ${IDLE_MS / 1000} s`;
}

/** Browsers cannot iterate over a stream everywhere. Throws `Stalled`. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (let read = await inTime(reader.read()); !read.done; read = await inTime(reader.read()))
      yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function inTime<Value>(reading: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Stalled()), IDLE_MS);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns the path of the file, if it was written to disk. */
export async function downloadTo(
  transport: Transport,
  file: RemoteFile,
  target: DownloadTarget,
  options: DownloadOptions = {},
): Promise<string | undefined> {
  if (typeof target === 'string') return downloadToPath(transport, file, target, options);
  listenTo(target);
  const sink = sinkOf(target);
  try {
    await pipe(transport, file, 0, sink.write, options);
  } catch (error) {
    await sink.abort(error);
    throw error;
  }
  await sink.end();
  return undefined;
}

async function pipe(
  transport: Transport,
  file: RemoteFile,
  from: number,
  write: (chunk: Uint8Array) => Promise<unknown>,
  { signal, onProgress, seen = {} }: DownloadOptions & { seen?: Seen },
): Promise<void> {
  let received = from;
  for await (const chunk of bytesOf(transport, file, { from, signal, seen })) {
    await write(chunk);
    received += chunk.length;
    onProgress?.({ received, total: file.size });
  }
  if (received !== file.size)
    throw new DownloadError(`The file has ${received} bytes instead of ${file.size}.`);
}

/** Lets the download say that a stream of Node fails, whenever it does. */
export function listenTo(target: DownloadTarget): void {
  if (typeof target !== 'string' && 'on' in target) target.on?.('error', () => undefined);
}

function sinkOf(target: WritableStream<Uint8Array> | NodeWritable) {
  if ('getWriter' in target) {
    const writer = target.getWriter();
    return {
      write: (chunk: Uint8Array) => writer.write(chunk),
      end: () => writer.close(),
      abort: (error: unknown) => writer.abort(error).catch(() => undefined),
    };
  }
  const done = (start: (done: (error?: Error | null) => void) => unknown) =>
    new Promise<void>((resolve, reject) => {
      start((error) => (error ? reject(target.errored ?? error) : resolve()));
    });
  return {
    write: (chunk: Uint8Array) => done((end) => target.write(chunk, end)),
    end: () => done((end) => target.end(end)),
    abort: async () => undefined,
  };
}

/** Writes to a partial file named for the task, which a later download continues, and which then replaces the file at the path. */
async function downloadToPath(
  transport: Transport,
  file: RemoteFile,
  target: string,
  options: DownloadOptions,
): Promise<string> {
  const fs = builtin<typeof import('node:fs')>('node:fs');
  const { join } = builtin<typeof import('node:path')>('node:path');
  const isFolder = /[\\/]$/.test(target) || fs.statSync(target, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder) fs.mkdirSync(target, { recursive: true });
  const path = isFolder ? join(target, await fileNameOf(transport, file, options.signal)) : target;
  if (fs.statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    // A device or a pipe, such as /dev/null, is written to as it is: a file must not replace it.
    const stream = fs.createWriteStream(path);
    try {
      await downloadTo(transport, file, stream, options);
    } catch (error) {
      // Who reads a pipe waits until it is closed.
      stream.destroy();
      throw error;
    }
    return path;
  }
  const partial = `${path}.${file.taskId}.${file.role}.part`;
  const there = fs.statSync(partial, { throwIfNoEntry: false })?.size ?? 0;
  const from = there <= file.size ? there : 0;
  const handle = await fs.promises.open(partial, from > 0 ? 'a' : 'w');
  const seen: Seen = {};
  try {
    await pipe(transport, file, from, (chunk) => handle.writeFile(chunk), { ...options, seen });
    const sha256 = file.sha256 ?? (await sha256Named(transport, file, seen, options.signal));
    if (sha256 !== undefined && (await sha256Of(partial)) !== sha256)
      throw new DownloadError('The file arrived damaged: its SHA-256 is another. Download it again.');
  } catch (error) {
    if (isFinal(error)) fs.rmSync(partial, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  fs.renameSync(partial, path);
  return path;
}

/** Whether what has arrived is of no use: the file is gone, or another. */
const isFinal = (error: unknown) =>
  error instanceof DownloadError || (error instanceof ApiError && [404, 410, 416].includes(error.status));

/** The name that the service gives a file; of files other than the main one, from `Content-Disposition`. */
export async function fileNameOf(
  transport: Transport,
  { taskId, role, name }: RemoteFile,
  signal?: AbortSignal,
): Promise<string> {
  if (name !== undefined) return withoutPath(name);
  const headers = await headersOf(transport, { taskId, role }, signal);
  const [, given] = /filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '') ?? [];
  return withoutPath(given === undefined ? role : decodeURIComponent(given));
}

/** The SHA-256 that the service gives as the ETag of a file; undefined if it is anything else, as a proxy may make it. */
async function sha256Named(
  transport: Transport,
  file: RemoteFile,
  { etag }: Seen,
  signal?: AbortSignal,
): Promise<string | undefined> {
  // An earlier process may have had all of the file.
  const given = etag === undefined ? (await headersOf(transport, file, signal)).get('etag') : etag;
  return /^(?:W\/)?"([\da-f]{64})"$/.exec(given ?? '')?.[1];
}

async function headersOf(
  transport: Transport,
  { taskId, role }: Pick<RemoteFile, 'taskId' | 'role'>,
  signal?: AbortSignal,
): Promise<Headers> {
  const { headers } = await transport.request('HEAD', `/task/${taskId}/download`, {
    ...{ query: { file: role }, signal, repeatable: true },
  });
  return headers;
}

const withoutPath = (name: string) => name.replace(/[/\\]/g, '_');

async function sha256Of(path: string): Promise<string> {
  const fs = builtin<typeof import('node:fs')>('node:fs');
  const hash = builtin<typeof import('node:crypto')>('node:crypto').createHash('sha256');
  for await (const chunk of fs.createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
