import type { TaskView } from '../../repos/task-row.ts';
import { sourcesOf } from './stored-sources.ts';

/** JSON pointer to the source in the request that an error is about; null if it is about none, or it is not known which. */
export function failedField(task: Pick<TaskView, 'operation' | 'input' | 'error'>): string | null {
  if (!task.error) return null;
  const { fault, source_index } = task.error;
  const pointers = pointersOf(task);
  const only = fault === 'source' && pointers.length === 1 ? 0 : undefined;
  return pointers[source_index ?? only ?? -1] ?? null;
}

/** None for an input of an earlier version of the service, which may have other fields. */
function pointersOf({ operation, input }: Pick<TaskView, 'operation' | 'input'>): string[] {
  try {
    return sourcesOf(operation, input).map(({ pointer }) => pointer);
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}
