import type { RequestListener } from 'node:http';
import type { ErrorCode } from '../../schema/api/errors.ts';
import type { PlanName } from '../../schema/api/plans.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import type { Stand } from './stand.ts';

/** How a case may end: refused with 422 or failed as a task, either with this code, or as a completed task. */
export type Ending = ErrorCode | 'completed';

/** One hostile thing that is sent to the running service. */
export interface Case {
  name: string;
  /** The source: this URL, or what is served by `answer`. */
  url?: string | ((stand: Stand) => string);
  /** What the hostile origin answers to every request for this case. */
  answer?: (stand: Stand) => RequestListener;
  /** Under which certificate; without TLS if left out. */
  certificate?: 'trusted' | 'untrusted' | 'expired' | 'misnamed';
  /** The request that names the source; /probe if left out. */
  request?: (url: string) => { operation: OperationName; input: Record<string, unknown> };
  /** The plan of who asks; basic if left out. */
  plan?: PlanName;
  ends: readonly Ending[];
  /** Seconds in which it must have ended. */
  within: number;
  /** It is tried when no other one is: its time is short for what it does. */
  alone?: boolean;
}

/** Serves bytes as an honest origin does, with ranges. */
export function serve(bytes: Buffer): RequestListener {
  return (request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined || Number(first) >= bytes.length) {
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
      return;
    }
    const part = bytes.subarray(Number(first), Math.min(Number(last) + 1, bytes.length));
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
    response.writeHead(206, { 'content-length': part.length, 'content-range': range }).end(part);
  };
}
