import type { TaskView } from '../../repos/task-row.ts';
import { sourcesOf } from './stored-sources.ts';

/** JSON pointer to the source in the request that an error is about; null if it is about none, or it is not known which. */
export function failedField({ operation, input, error }: TaskView): string | null {
  if (!error) return null;
  const sources = sourcesOf(operation, input);
  const only = error.fault === 'source' && sources.length === 1 ? 0 : undefined;
  return sources[error.source_index ?? only ?? -1]?.pointer ?? null;
}
