import { idPattern } from './ids.ts';

/** A source that the service has stored itself: the output of a task, or an upload. */
export interface StoredSource {
  of: 'task' | 'upload';
  id: string;
}

const kinds = [
  ['task', idPattern('task')],
  ['upload', idPattern('upload')],
] as const;

/** Whether a text is meant as one, even if its id is not valid. */
export const namesStoredSource = (source: string) => kinds.some(([of]) => source.startsWith(`${of}:`));

/** The source behind `task:<task_id>` or `upload:<upload_id>`; null for a URL. */
export function storedSource(source: string): StoredSource | null {
  for (const [of, pattern] of kinds) {
    const id = source.slice(of.length + 1);
    if (source.startsWith(`${of}:`) && pattern.test(id)) return { of, id };
  }
  return null;
}
