import type { Span } from '../../../../model/source/byte-ranges.ts';
import type { Granted, Reply } from '../../protocol.ts';

/** Requests are handled one at a time, but a request may read several inputs at once. */
const waiting = new Map<number, (span: Span) => void>();
let last = 0;

/**
 * Asks the parent to fetch bytes of a source into its file. If that fails, the parent ends this process, therefore there is no
 * error to handle here.
 * @param on Whether reading continues after these bytes; null if nothing else near them will be read.
 */
export function bring(path: string, wanted: Span, on: boolean | null): Promise<Span> {
  const id = ++last;
  const message: Reply = { type: 'range', id, path, wanted, on };
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    process.send?.(message);
  });
}

/** Handles the parent's answer. */
export function granted({ id, span }: Granted): void {
  waiting.get(id)?.(span);
  waiting.delete(id);
}
