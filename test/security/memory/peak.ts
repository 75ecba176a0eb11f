import { readdirSync, readFileSync } from 'node:fs';

export interface Peak {
  /** Most that the processes below held at once, in bytes. */
  together: number;
  /** Most that one of them held. */
  largest: number;
  /** Most that the process itself held. */
  own: number;
}

const EVERY_MS = 15;

/** Watches the memory of a process and of all below it until it is stopped. */
export function watchPeak(pid: number): () => Peak {
  const peak: Peak = { together: 0, largest: 0, own: 0 };
  const look = () => {
    const parents = new Map(pids().map((id) => [id, factOf(id, 'PPid')]));
    const below = [...parents.keys()].filter((id) => id !== pid && isBelow(id, pid, parents));
    const sizes = below.map((id) => factOf(id, 'VmRSS') * 1024);
    peak.together = Math.max(
      peak.together,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    peak.largest = Math.max(peak.largest, ...sizes);
    peak.own = Math.max(peak.own, factOf(pid, 'VmRSS') * 1024);
  };
  const timer = setInterval(look, EVERY_MS);
  look();
  return () => {
    clearInterval(timer);
    look();
    return peak;
  };
}

const pids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function isBelow(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(pid) ?? 0; at > 1; at = parents.get(at) ?? 0) if (at === ancestor) return true;
  return false;
}

/** A number of `/proc/PID/status`; 0 where the process has ended. */
function factOf(pid: number, name: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
