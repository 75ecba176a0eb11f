import type { FieldError } from '../../../schema/api/problem.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import type { SourceRef } from '../../../schema/operations/operation.ts';
import type { TimeMap } from '../../../schema/task/task.ts';
import { taskOfSource } from '../../../schema/task/task-source.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import type { TaskRow } from '../../repos/task-row.ts';
import type { StoredTask } from '../../repos/task-sources.ts';

interface Reference extends SourceRef {
  taskId: string;
  /** Index of the source, starting at 0. */
  index: number;
}

/** Every source of a parsed request. */
export function sourcesOf(operation: OperationName, input: Record<string, unknown>): SourceRef[] {
  return (operations[operation].sources as unknown as (input: Record<string, unknown>) => SourceRef[])(input);
}

function referencesAmong(sources: readonly SourceRef[]): Reference[] {
  return sources.flatMap((source, index) => {
    const taskId = taskOfSource(source.url);
    return taskId === null ? [] : [{ ...source, taskId, index }];
  });
}

async function readOf(
  context: Context,
  accountId: string,
  references: readonly Reference[],
): Promise<Map<string, StoredTask>> {
  const ids = [...new Set(references.map(({ taskId }) => taskId))];
  const found = await context.taskSources.read(accountId, ids);
  const missing = ids.filter((id) => !found.has(id));
  const archived = await Promise.all(missing.map((id) => context.archive.find(accountId, id)));
  for (const task of archived) if (task) found.set(task.id, task);
  return found;
}

/** Why the output of a task cannot be used as a source; null if it can. */
function hindrance(task: StoredTask | undefined, now: number): Omit<FieldError, 'pointer'> | null {
  if (!task) return { code: 'task_not_found', detail: 'The task does not exist.' };
  if (task.status === 'failed') return { code: 'task_failed', detail: 'The task failed and has no output.' };
  if (task.status !== 'completed')
    return { code: 'task_not_completed', detail: `The task is ${task.status}. Wait until it is completed.` };
  if (!task.result) return { code: 'file_not_found', detail: 'The task was a dry run and has no output.' };
  const expired = task.filesRemovedAt !== null || (task.expiresAt ?? 0) <= now;
  return expired
    ? { code: 'output_expired', detail: 'The output of the task has expired. Create the task again.' }
    : null;
}

/**
 * The tasks whose outputs a new task reads, after checking that each is available.
 * @throws Problem validation_failed, naming each field that is not
 */
export async function checkedSourceIds(
  context: Context,
  accountId: string,
  sources: readonly SourceRef[],
): Promise<string[]> {
  const references = referencesAmong(sources);
  if (references.length === 0) return [];
  const found = await readOf(context, accountId, references);
  const errors = references.flatMap(({ pointer, taskId }) => {
    const problem = hindrance(found.get(taskId), Date.now());
    return problem ? [{ pointer, ...problem }] : [];
  });
  const [first] = errors;
  if (first) throw new Problem('validation_failed', `${first.pointer}: ${first.detail}`, { errors });
  return [...found.keys()];
}

/**
 * The object keys of those sources of a task that are outputs of other tasks, and their time maps. An output that existed when
 * the task was created stays while the task lives, unless its owner deletes it.
 * @returns the source that is gone, if any
 */
export async function storedSources(
  context: Context,
  { accountId, operation, input }: TaskRow,
): Promise<{ keys: Record<string, string>; timeMaps: Record<string, TimeMap> } | { gone: number }> {
  const references = referencesAmong(sourcesOf(operation, input));
  if (references.length === 0) return { keys: {}, timeMaps: {} };
  const found = await readOf(context, accountId, references);
  const keys: Record<string, string> = {};
  const timeMaps: Record<string, TimeMap> = {};
  for (const { url, taskId, index, kind } of references) {
    const task = found.get(taskId);
    if (kind === 'time_map') {
      if (!task?.result) return { gone: index };
      timeMaps[url] = task.result.time_map;
      continue;
    }
    const key = task?.filesRemovedAt === null ? task.result?.files[0]?.key : undefined;
    if (key === undefined) return { gone: index };
    keys[url] = key;
  }
  return { keys, timeMaps };
}
