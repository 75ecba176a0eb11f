import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Log } from '../log.ts';
import { signalGroup } from './run.ts';

const EVERY_MS = 200;
const PAGE_BYTES = 4096;

interface Sample {
  pid: number;
  parent: number;
  group: number;
  /** Private memory; shared pages such as code are not counted. */
  bytes: number;
}

/**
 * Kills the largest process group below this process whenever all groups together use more than `bytes`. Each process
 * has its own limit; this one keeps their sum from triggering the system's out-of-memory killer, which might choose the
 * transcoder. Does nothing without /proc.
 */
export function watchMemory(bytes: number, log: Log): { close(): void } {
  const look = () => {
    try {
      const largest = largestOver(samples(process.pid), process.pid, bytes);
      if (largest === null) return;
      log.error('processes exceed the memory limit together; killing the largest group', largest);
      signalGroup({ pid: largest.group }, 'SIGKILL');
    } catch (error) {
      log.warn('cannot read the memory use of processes', { error });
    }
  };
  const timer = setInterval(look, EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}

/** The largest process group below `ancestor`, if all groups together use more than `limit`; otherwise null. */
export function largestOver(
  all: readonly Sample[],
  ancestor: number,
  limit: number,
): { group: number; bytes: number; together: number } | null {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const groups = new Map<number, number>();
  let together = 0;
  for (const { pid, group, bytes } of all) {
    if (group === ancestor || !isBelow(pid, ancestor, parents)) continue;
    together += bytes;
    groups.set(group, (groups.get(group) ?? 0) + bytes);
  }
  if (together <= limit) return null;
  const [group = 0, bytes = 0] = [...groups].reduce((one, other) => (other[1] > one[1] ? other : one));
  return { group, bytes, together };
}

function isBelow(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(pid); at !== undefined; at = parents.get(at)) if (at === ancestor) return true;
  return false;
}

/** The processes below `ancestor`. Files of /proc are in memory: reading them directly costs a tenth of what the thread pool does. */
function samples(ancestor: number): Sample[] {
  return pidsBelow(ancestor).flatMap((pid) => sampleOf(pid) ?? []);
}

/** All processes where the kernel does not list the children of one (CONFIG_PROC_CHILDREN). */
function pidsBelow(ancestor: number): readonly (number | string)[] {
  if (existsSync(`/proc/self/task/${process.pid}/children`)) return descendantsOf(ancestor);
  return existsSync('/proc') ? numbered('/proc') : [];
}

function descendantsOf(ancestor: number): number[] {
  const found = childrenOf(ancestor);
  // Those that are found join the end of the list, and their children are looked for in turn.
  for (const pid of found) for (const child of childrenOf(pid)) found.push(child);
  return found;
}

function childrenOf(pid: number): number[] {
  return numbered(`/proc/${pid}/task`).flatMap((thread) =>
    (contentOf(`${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

function numbered(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Null if the process has ended meanwhile. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function sampleOf(pid: number | string): Sample | null {
  const [stat, statm] = [contentOf(`${pid}/stat`), contentOf(`${pid}/statm`)];
  if (stat === null || statm === null) return null;
  const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
  const [, resident, shared] = statm.split(' ', 3);
  const bytes = (Number(resident) - Number(shared)) * PAGE_BYTES;
  return { pid: Number(pid), parent: Number(parent), group: Number(group), bytes };
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return null;
  }
}
