import { readdir, readFile } from 'node:fs/promises';
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
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      const largest = largestOver(await samples(), process.pid, bytes);
      if (largest === null) return;
      log.error('processes exceed the memory limit together; killing the largest group', largest);
      signalGroup({ pid: largest.group }, 'SIGKILL');
    } catch (error) {
      log.warn('cannot read the memory use of processes', { error });
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), EVERY_MS).unref();
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
  for (let at = parents.get(pid) ?? 0; at > 1; at = parents.get(at) ?? 0) if (at === ancestor) return true;
  return false;
}

async function samples(): Promise<Sample[]> {
  const names = await readdir('/proc').catch(() => []);
  const read = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(sampleOf));
  return read.filter((sample) => sample !== null);
}

/** Null if the process has ended meanwhile. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
async function sampleOf(pid: string): Promise<Sample | null> {
  try {
    const [stat, statm] = await Promise.all(
      ['stat', 'statm'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1')),
    );
    const [, parent, group] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    const [, resident, shared] = statm?.split(' ') ?? [];
    const bytes = (Number(resident) - Number(shared)) * PAGE_BYTES;
    return { pid: Number(pid), parent: Number(parent), group: Number(group), bytes };
  } catch {
    return null;
  }
}
