import type { FieldError } from '../../../schema/api/problem.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import type { SourceRef } from '../../../schema/operations/operation.ts';
import { type StoredSource, storedSource } from '../../../schema/task/stored-source.ts';
import type { TimeMap } from '../../../schema/task/task.ts';
import type { Failure } from '../../../schema/task/wire.ts';
import type { Context } from '../../context.ts';
import { fieldProblem } from '../../lib/problem.ts';
import type { TaskRow } from '../../repos/task-row.ts';
import type { StoredTask } from '../../repos/task-sources.ts';
import { uploadKey } from '../../repos/upload-files.ts';
import type { StoredUpload } from '../../repos/uploads.ts';

interface Reference extends SourceRef, StoredSource {
  /** Index of the source, starting at 0. */
  index: number;
}

/** What is known of the stored sources of a request, by id. */
interface Found {
  tasks: Map<string, StoredTask>;
  uploads: Map<string, StoredUpload>;
}

/** Every source of a parsed request. */
export function sourcesOf(operation: OperationName, input: Record<string, unknown>): SourceRef[] {
  return (operations[operation].sources as unknown as (input: Record<string, unknown>) => SourceRef[])(input);
}

function referencesAmong(sources: readonly SourceRef[]): Reference[] {
  return sources.flatMap((source, index) => {
    const stored = storedSource(source.url);
    return stored === null ? [] : [{ ...source, ...stored, index }];
  });
}

async function readOf(context: Context, accountId: string, references: readonly Reference[]): Promise<Found> {
  const idsOf = (kind: StoredSource['of']) => [
    ...new Set(references.filter(({ of }) => of === kind).map(({ id }) => id)),
  ];
  const [taskIds, uploadIds] = [idsOf('task'), idsOf('upload')];
  const [tasks, uploads] = await Promise.all([
    taskIds.length === 0 ? new Map<string, StoredTask>() : context.taskSources.read(accountId, taskIds),
    uploadIds.length === 0 ? new Map<string, StoredUpload>() : context.uploads.stored(accountId, uploadIds),
  ]);
  const missing = taskIds.filter((id) => !tasks.has(id));
  for (const task of await context.archive.findAll(accountId, missing)) tasks.set(task.id, task);
  return { tasks, uploads };
}

type Hindrance = Omit<FieldError, 'pointer'>;

/** Why the output of a task cannot be used as a source; null if it can, or if the task has not ended and is waited for. */
function taskHindrance(task: StoredTask | undefined, kind: SourceRef['kind'], now: number): Hindrance | null {
  if (!task)
    return {
      code: 'task_not_found',
      detail: 'There is no such task. It may have been deleted or may belong to another account.',
    };
  if (task.status === 'failed') return { code: 'task_failed', detail: 'The task failed and has no output.' };
  if (task.status !== 'completed') return null;
  if (!task.result) return { code: 'file_not_found', detail: 'The task was a dry run and has no output.' };
  // Only its record is read.
  if (kind === 'time_map') return null;
  const expired = task.filesRemovedAt !== null || (task.expiresAt ?? 0) <= now;
  return expired
    ? { code: 'output_expired', detail: 'The output of the task has expired. Create the task again.' }
    : null;
}

/** Why an upload cannot be used as a source; null if it can. */
function uploadHindrance(upload: StoredUpload | undefined, now: number): Hindrance | null {
  if (!upload)
    return {
      code: 'upload_not_found',
      detail: 'There is no such upload. It may have been deleted or may belong to another account.',
    };
  if (upload.status === 'failed')
    return { code: 'upload_failed', detail: 'The file of the upload was refused. Create a new upload.' };
  if (upload.fileRemovedAt !== null || upload.expiresAt <= now)
    return { code: 'upload_expired', detail: 'The upload has expired. Create a new upload.' };
  if (upload.status === 'ready') return null;
  const detail = `The upload is waiting for its file. Send it, then POST /uploads/${upload.id}/complete.`;
  return { code: 'upload_incomplete', detail };
}

/**
 * The tasks and uploads whose files a new task reads, after checking that each is available.
 * @throws Problem validation_failed, naming each field that is not
 */
export async function checkedSourceIds(
  context: Context,
  accountId: string,
  sources: readonly SourceRef[],
): Promise<string[]> {
  const references = referencesAmong(sources);
  if (references.length === 0) return [];
  const { tasks, uploads } = await readOf(context, accountId, references);
  const now = Date.now();
  const errors = references.flatMap(({ pointer, of, id, kind }) => {
    const problem =
      of === 'task' ? taskHindrance(tasks.get(id), kind, now) : uploadHindrance(uploads.get(id), now);
    return problem ? [{ pointer, ...problem }] : [];
  });
  if (errors.length > 0) throw fieldProblem('validation_failed', errors);
  return [...tasks.keys(), ...uploads.keys()];
}

/** A source that a task cannot read, and why. */
type Missing = Pick<Failure, 'code' | 'detail'> & { index: number };

/**
 * The object keys of the sources of a task that are stored here, and the time maps of tasks among them. A file stays while the task
 * lives, unless its owner deletes it.
 * @returns the first source that cannot be read, if any
 */
export async function storedSources(
  context: Context,
  { accountId, operation, input }: TaskRow,
): Promise<{ keys: Record<string, string>; timeMaps: Record<string, TimeMap> } | { missing: Missing }> {
  const references = referencesAmong(sourcesOf(operation, input));
  if (references.length === 0) return { keys: {}, timeMaps: {} };
  const found = await readOf(context, accountId, references);
  const keys: Record<string, string> = {};
  const timeMaps: Record<string, TimeMap> = {};
  for (const { url, of, id, index, kind } of references) {
    const task = found.tasks.get(id);
    if (kind === 'time_map' && task?.result) {
      timeMaps[url] = task.result.time_map;
      continue;
    }
    const key = of === 'task' ? outputKey(task) : keyOfUpload(found.uploads.get(id));
    if (key === null || kind === 'time_map') return { missing: { index, ...whyMissing(task) } };
    keys[url] = key;
  }
  return { keys, timeMaps };
}

/** Failures of tasks have room for this much of the detail of another one. */
const MOST_DETAIL = 700;

/** A task that was waited for may have failed; anything else was deleted or has expired. */
function whyMissing(task: StoredTask | undefined): Pick<Failure, 'code' | 'detail'> {
  if (task?.error) {
    const { code, detail } = task.error;
    return {
      code: 'source_task_failed',
      detail: `The source ${task.id} failed with ${code}: ${detail.slice(0, MOST_DETAIL)}`,
    };
  }
  if (task?.status === 'completed' && !task.result)
    return { code: 'source_task_failed', detail: `The source ${task.id} was a dry run and has no output.` };
  return { code: 'source_gone', detail: 'The task or upload that it reads was deleted or has expired.' };
}

function outputKey(task: StoredTask | undefined): string | null {
  return (task?.filesRemovedAt === null && task.result?.files[0]?.key) || null;
}

function keyOfUpload(upload: StoredUpload | undefined): string | null {
  return upload?.status === 'ready' && upload.fileRemovedAt === null ? uploadKey(upload.id) : null;
}
