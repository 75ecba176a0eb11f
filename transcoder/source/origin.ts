import type { IncomingMessage } from 'node:http';
import type { Span } from '../model/source/byte-ranges.ts';
import { type GetOptions, guardedGet, keptConnections } from './guarded-get.ts';

export interface Origin {
  /** Response to a GET of the file or of a byte range: a 200, 206 or 416 with its body unread. Throws TaskFailure. */
  answer(range: Span | null, signal: AbortSignal): Promise<IncomingMessage>;
  /** Closes kept connections. */
  close(): void;
}

/** A caller's URL. Every request passes the address guard. */
export function urlOrigin(
  url: string,
  options: Omit<GetOptions, 'signal' | 'range' | 'connections'>,
): Origin {
  const connections = keptConnections();
  return {
    answer: (range, signal) =>
      guardedGet(url, { ...options, connections, signal, ...(range ? { range } : {}) }),
    close() {
      for (const agent of Object.values(connections)) agent.destroy();
    },
  };
}
