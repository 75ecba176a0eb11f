import { idPattern } from './ids.ts';

const pattern = idPattern('task');

/** Task id of a `task:<task_id>` source; null for a URL. */
export function taskOfSource(source: string): string | null {
  if (!source.startsWith('task:')) return null;
  const id = source.slice('task:'.length);
  return pattern.test(id) ? id : null;
}
