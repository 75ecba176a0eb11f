import { readdirSync, readFileSync } from 'node:fs';

/** The processes below one. It does not look at all processes of the machine, which would keep the caller busy. */
export function descendantsOf(pid: number): number[] {
  return threadsOf(pid)
    .flatMap((thread) => childrenIn(`/proc/${pid}/task/${thread}/children`))
    .flatMap((child) => [child, ...descendantsOf(child)]);
}

/** None of a process that has ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** None of a thread that has ended. */
function childrenIn(path: string): number[] {
  try {
    return readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
