import { shownOperation } from '../../../schema/operations/shown.ts';
import type { Task, TaskOutput } from '../../../schema/task/task.ts';
import { iso, isoOrNull } from '../../../schema/time.ts';
import type { Config } from '../../env.ts';
import { redactUrl } from '../../lib/text/redact.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { signedLink } from '../files/download-link.ts';
import { failedField } from './failed-field.ts';

/** The input as shown: query strings of URLs are removed, because they may contain secrets of the caller's storage. */
function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redact(entry)]));
  }
  return typeof value === 'string' ? redactUrl(value) : value;
}

function inputOf({ input, result }: TaskView): Task['input'] {
  const shown = redact(input) as Record<string, unknown>;
  return result?.bytes_read === undefined ? shown : { ...shown, bytes_read: result.bytes_read };
}

async function outputOf(config: Config, row: TaskView): Promise<TaskOutput | null> {
  const { result, expiresAt } = row;
  const [main] = result?.files ?? [];
  if (!result || !main || expiresAt === null) return null;
  const files = await Promise.all(
    result.files.map(async (file) => ({
      role: file.role,
      url: await signedLink(config, row.id, file.role, expiresAt),
      media_type: file.media_type,
      file_size: file.file_size,
    })),
  );
  return {
    file_url: files[0]?.url ?? '',
    file_name: main.file_name,
    file_size: main.file_size,
    media_type: main.media_type,
    duration: result.duration,
    width: result.width,
    height: result.height,
    fps: result.fps,
    sha256: main.sha256,
    files,
    data: result.data,
    time_map: result.time_map,
  };
}

/** The error with the field of the source that it is about. */
function errorOf(row: TaskView): Task['error'] {
  const pointer = failedField(row);
  return row.error && pointer !== null ? { ...row.error, pointer } : row.error;
}

/** A task as callers see it in REST, MCP and webhooks. */
export async function taskView(config: Config, row: TaskView): Promise<Task> {
  const self = `${config.PUBLIC_URL}/task/${row.id}`;
  const output = await outputOf(config, row);
  return {
    object: 'task',
    id: row.id,
    task_id: row.id,
    operation: row.operation,
    endpoint: shownOperation(row.operation).path,
    status: row.status,
    stage: row.stage,
    progress_percent: row.progressPercent,
    eta_seconds: row.etaSeconds,
    queue_position: row.queuePosition,
    attempt: row.attempt,
    created_at: iso(row.createdAt),
    started_at: isoOrNull(row.startedAt),
    completed_at: isoOrNull(row.completedAt),
    expires_at: isoOrNull(row.expiresAt),
    status_url: self,
    links: { self, download: output ? `${self}/download` : null, events: `${self}/events` },
    input: inputOf(row),
    output,
    plan: row.plan?.plan ?? null,
    warnings: row.result?.warnings ?? row.plan?.warnings ?? [],
    error: errorOf(row),
    metadata: row.metadata,
  };
}
