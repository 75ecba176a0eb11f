import type { Span } from '../../../../model/byte-ranges.ts';
import type { Granted, Reply } from '../../protocol.ts';

/** This process serves one request at a time, but an input of it may be read by several at once. */
const waiting = new Map<number, (span: Span) => void>();
let last = 0;

/**
 * Has the parent bring bytes of a source into its file. Where that fails the parent ends this process, so that nothing
 * has to be thrown here. @param on Whether reading goes on behind them.
 */
export function bring(path: string, wanted: Span, on: boolean): Promise<Span> {
  const id = ++last;
  const message: Reply = { type: 'range', id, path, wanted, on };
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    process.send?.(message);
  });
}

/** Takes the parent's answer. */
export function granted({ id, span }: Granted): void {
  waiting.get(id)?.(span);
  waiting.delete(id);
}
