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
const PAGE_BYTES = 4096;

/** Watches the memory of a process and of all below it until it is stopped. */
export function watchPeak(pid: number): () => Peak {
  const peak: Peak = { together: 0, largest: 0, own: 0 };
  /** Whether a process is below. It stays where it began: a look reads only new processes and those below. */
  const below = new Map<number, boolean>();
  const look = () => {
    const present = pids();
    const alive = new Set(present);
    for (const id of below.keys()) if (!alive.has(id)) below.delete(id);
    const parents = new Map(present.filter((id) => !below.has(id)).map((id) => [id, parentOf(id)]));
    for (const id of parents.keys()) below.set(id, id !== pid && isBelow(id, pid, parents, below));
    const sizes = present.filter((id) => below.get(id)).map(residentBytes);
    peak.together = Math.max(
      peak.together,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    peak.largest = Math.max(peak.largest, ...sizes);
    peak.own = Math.max(peak.own, residentBytes(pid));
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

function isBelow(
  pid: number,
  ancestor: number,
  parents: ReadonlyMap<number, number>,
  known: ReadonlyMap<number, boolean>,
): boolean {
  for (let at = parents.get(pid) ?? 0; at > 1; at = parents.get(at) ?? 0) {
    if (at === ancestor) return true;
    const decided = known.get(at);
    if (decided !== undefined) return decided;
  }
  return false;
}

const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(textOf(pid, 'status'))?.[1] ?? 0);

const residentBytes = (pid: number) => Number(textOf(pid, 'statm').split(' ')[1] ?? 0) * PAGE_BYTES;

/** Empty where the process has ended. */
function textOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
