import type { IncomingMessage } from 'node:http';
import type { Span } from '../model/byte-ranges.ts';
import { type GetOptions, guardedGet, keptConnections } from './guarded-get.ts';

/** Where the bytes of a source come from. */
export interface Origin {
  /** The answer to a GET of the file, or of these bytes of it: a 200, 206 or 416 whose body has not been read. Throws TaskFailure. */
  answer(range: Span | null, signal: AbortSignal): Promise<IncomingMessage>;
  /** Lets go of the connections that it keeps. */
  close(): void;
}

/** A caller's URL: every request passes the address guard. */
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
