import type { IncomingMessage } from 'node:http';
import type { Span } from '../model/source/byte-ranges.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { parseContentRange, parseUnsatisfied } from './content-range.ts';
import { announcedBytes } from './response-body.ts';
import { type Edition, editionOf } from './validators.ts';

/** A response shorter than requested is accepted from this length on. */
const SHORTEST = 64 * 1024;

/** The byte range in a response body, and the version of the file it belongs to. */
interface Body {
  /** The end is null if the origin does not state it. */
  span: [from: number, to: number | null];
  edition: Edition;
}

/** Interprets a response to a request for these bytes; null if it is not what was requested. Throws TaskFailure. */
export function bodyOf(response: IncomingMessage, wanted: Span | null): Body | null {
  const { statusCode, headers } = response;
  if (statusCode === 416) return unsatisfied(headers['content-range'], wanted);
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') {
    throw new TaskFailure(
      'source_http_error',
      'The source sent a compressed response (Content-Encoding). Serve the file uncompressed.',
      {
        retryable: false,
      },
    );
  }
  const announced = announcedBytes(response);
  if (statusCode === 200) return { span: [0, announced], edition: editionOf(headers, announced) };
  if (headers['content-type']?.toLowerCase().startsWith('multipart/')) {
    throw new TaskFailure(
      'source_http_error',
      'The source answered a request for one byte range with several parts.',
      {
        retryable: false,
      },
    );
  }
  const part = parseContentRange(headers['content-range']);
  if (!part || !wanted) return null;
  const { span, total } = part;
  const [from, to] = span;
  if (from !== wanted[0] || to > wanted[1]) return null;
  if (to < Math.min(wanted[1], total) && to - from < SHORTEST) return null;
  if (announced !== null && announced !== to - from) return null;
  return { span: [from, to], edition: editionOf(headers, total) };
}

function unsatisfied(contentRange: string | undefined, wanted: Span | null): null {
  if (parseUnsatisfied(contentRange) !== 0 || wanted?.[0] !== 0) return null;
  throw new TaskFailure('source_not_media', 'The source is empty (0 bytes).');
}
