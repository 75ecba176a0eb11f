import type { Context } from '../context.ts';
import { type ByteRange, parseRange } from '../lib/byte-range.ts';
import { Problem } from '../problem.ts';
import type { TaskRow } from '../repos/tasks.ts';
import { linkIsSigned } from './download-link.ts';

export interface DownloadRequest {
  /** Role of the file; the main one where it is missing. */
  role: string | undefined;
  method: 'GET' | 'HEAD';
  header: (name: string) => string | undefined;
}

/**
 * The task that a signed link names.
 * @throws Problem signature_invalid, output_expired, task_not_found
 */
export async function linkedTask(
  context: Context,
  given: {
    taskId: string;
    role: string | undefined;
    signature: string | undefined;
    expires: string | undefined;
  },
): Promise<TaskRow> {
  const { taskId, role = '', signature = '' } = given;
  const expires = Number(given.expires);
  const signed =
    Number.isSafeInteger(expires) &&
    (await linkIsSigned(context.config, { taskId, role, expires, signature }));
  if (!signed) throw new Problem('signature_invalid');
  if (expires * 1000 <= Date.now()) throw new Problem('output_expired');
  const task = await context.tasks.readSigned(taskId);
  if (!task) throw new Problem('task_not_found');
  return task;
}

function notReady(task: TaskRow): Problem | null {
  if (task.status === 'failed') return new Problem('task_failed', task.error?.detail);
  if (task.status !== 'completed' || !task.result || task.expiresAt === null) {
    const seconds = Math.min(60, Math.max(1, Math.ceil(task.etaSeconds ?? 2)));
    return new Problem('task_not_completed', `The task is ${task.status}.`, {
      headers: { 'retry-after': String(seconds) },
    });
  }
  return task.expiresAt <= Date.now() ? new Problem('output_expired') : null;
}

const matches = (header: string, etag: string) =>
  header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);

/** RFC 6266: a plain name for old clients, the full one in UTF-8. */
function contentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * A file of a completed task, with conditional and range requests of RFC 9110.
 * @throws Problem file_not_found, task_not_completed, task_failed, output_expired, range_not_satisfiable
 */
export async function download(context: Context, task: TaskRow, request: DownloadRequest): Promise<Response> {
  const problem = notReady(task);
  if (problem) throw problem;
  const files = task.result?.files ?? [];
  const file = request.role === undefined ? files[0] : files.find((one) => one.role === request.role);
  if (!file) throw new Problem('file_not_found', `The task has: ${files.map((one) => one.role).join(', ')}.`);

  const etag = `"${file.sha256}"`;
  const headers = new Headers({
    etag,
    'content-type': file.media_type,
    'content-disposition': contentDisposition(file.file_name),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-transform',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const ifNoneMatch = request.header('if-none-match');
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, etag))
    return new Response(null, { status: 304, headers });

  const range = rangeOf(request, etag, file.file_size);
  const length = range ? range.end - range.start + 1 : file.file_size;
  headers.set('content-length', String(length));
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.file_size}`);
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const stream = await context.files.read(file.key, range ? { offset: range.start, length } : undefined);
  if (!stream) throw new Problem('output_expired');
  return new Response(stream.pipeThrough(new FixedLengthStream(length)), { status, headers });
}

function rangeOf(request: DownloadRequest, etag: string, size: number): ByteRange | null {
  const header = request.header('range');
  const condition = request.header('if-range');
  if (header === undefined || (condition !== undefined && condition !== etag)) return null;
  const range = parseRange(header, size);
  if (range === 'unsatisfiable') {
    throw new Problem('range_not_satisfiable', `The file has ${size} bytes.`, {
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  return range;
}
