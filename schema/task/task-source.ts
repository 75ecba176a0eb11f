import { idPattern } from './ids.ts';

const pattern = idPattern('task');

/** The task whose main file a source is, `task:<task_id>`; null for a source at a URL. */
export function taskOfSource(source: string): string | null {
  if (!source.startsWith('task:')) return null;
  const id = source.slice('task:'.length);
  return pattern.test(id) ? id : null;
}
