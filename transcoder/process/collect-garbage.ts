import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that are worth the 20 to 40 ms of a collection: less than a source of half an hour leaves. */
const WORTHWHILE = 12 * 1024 * 1024;

/** As V8 exposes it. A last resort gives memory back that others would keep for what comes next. */
type Collect = (options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;
let kept = 0;

/**
 * Collects garbage where large tables have just become garbage and others, or pictures, are about to take memory. V8 counts what lies
 * outside of its heap too late: tables of a source of two hours would be kept while its pictures are encoded.
 */
export function collectGarbage(): void {
  if (used() - kept < WORTHWHILE) return;
  collector()({ type: 'major', flavor: 'last-resort' });
  kept = used();
}

/** Collects what has become garbage lately, such as received bytes, in about a millisecond. V8 would do so after 64 MB of them. */
export function collectLatest(): void {
  collector()({ type: 'minor' });
}

function collector(): Collect {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  return collect;
}

function used(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
