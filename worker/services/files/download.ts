import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import type { TaskRow } from '../../repos/task-row.ts';
import { countAddress, refusal } from '../account/request-limit.ts';
import { linkIsSigned } from './download-link.ts';
import { type BytesRequest, serveBytes } from './serve-bytes.ts';

/**
 * The task that a signed link names.
 * @throws Problem rate_limited, signature_invalid, output_expired, task_not_found
 */
export async function linkedTask(
  context: Context,
  header: (name: string) => string | undefined,
  given: {
    taskId: string;
    role: string | undefined;
    signature: string | undefined;
    expires: string | undefined;
  },
): Promise<TaskRow> {
  await countAddress(context, header);
  const { taskId, role = '', signature = '' } = given;
  const expires = Number(given.expires);
  const signed =
    Number.isSafeInteger(expires) &&
    (await linkIsSigned(context.config, { taskId, role, expires, signature }));
  if (!signed) throw await refusal(context, header, new Problem('signature_invalid'));
  if (expires * 1000 <= Date.now()) throw new Problem('output_expired');
  const task = await context.tasks.readSigned(taskId);
  if (!task) throw new Problem('task_not_found');
  return task;
}

function notReady(task: TaskRow): Problem | null {
  if (task.status === 'failed') return new Problem('task_failed', task.error?.detail);
  if (task.plan) return new Problem('file_not_found', 'The task was a dry run and has no files.');
  if (task.status !== 'completed' || !task.result || task.expiresAt === null) {
    const seconds = Math.min(60, Math.max(1, Math.ceil(task.etaSeconds ?? 2)));
    return new Problem(
      'task_not_completed',
      `The task is ${task.status}. Try again after Retry-After seconds.`,
      {
        headers: { 'retry-after': String(seconds) },
      },
    );
  }
  return task.expiresAt <= Date.now() ? new Problem('output_expired') : null;
}

/** Media types that browsers show, play or save without running anything in them. */
const harmless =
  /^(?:(?:video|audio)\/[\w.+-]+|image\/(?:jpeg|png|webp|gif|avif)|text\/(?:plain|csv|vtt|x-ssa)|application\/(?:json|xml|zip|x-subrip))$/;

/** RFC 6266: an ASCII name for old clients, and the full one in UTF-8. */
function contentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * A file of a completed task: the one with this role, or the main file.
 * @throws Problem file_not_found, task_not_completed, task_failed, output_expired, range_not_satisfiable
 */
export async function download(
  context: Context,
  task: TaskRow,
  role: string | undefined,
  request: BytesRequest,
): Promise<Response> {
  const problem = notReady(task);
  if (problem) throw problem;
  const files = task.result?.files ?? [];
  const file = role === undefined ? files[0] : files.find((one) => one.role === role);
  if (!file)
    throw new Problem(
      'file_not_found',
      `The task has no file with this role. Its files are: ${files.map((one) => one.role).join(', ')}.`,
    );
  const response = await serveBytes(request, {
    size: file.file_size,
    etag: `"${file.sha256}"`,
    headers: {
      'content-type': harmless.test(file.media_type) ? file.media_type : 'application/octet-stream',
      'content-disposition': contentDisposition(file.file_name),
      'cache-control': 'private, no-transform',
      'content-security-policy': "default-src 'none'; sandbox",
    },
    read: (range) => context.files.read(file.key, range),
  });
  if (!response) throw new Problem('output_expired');
  return response;
}
