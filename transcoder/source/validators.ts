import type { IncomingHttpHeaders } from 'node:http';

/** Identifies a version of the file at a URL; null for values that the origin does not state. */
export interface Edition {
  bytes: number | null;
  etag: string | null;
  modified: string | null;
  /** Whether `modified` is about the time of the response, as scripts state it that make each response themselves. */
  justMade?: boolean;
}

/** In milliseconds. */
const JUST = 2000;

export function editionOf(headers: IncomingHttpHeaders, bytes: number | null): Edition {
  const { etag = null, 'last-modified': modified = null, date } = headers;
  const justMade = modified !== null && Math.abs(Date.parse(date ?? '') - Date.parse(modified)) < JUST;
  return { bytes, etag, modified, justMade };
}

/** Whether both can be the same version: no value stated by both differs, apart from dates that say only when they were sent. */
export function sameEdition(one: Edition, other: Edition): boolean {
  const isSame = (name: 'bytes' | 'etag' | 'modified') =>
    one[name] === null || other[name] === null || one[name] === other[name];
  return isSame('bytes') && isSame('etag') && (isSame('modified') || Boolean(one.justMade && other.justMade));
}

/** Combines the values stated by both. */
export function merged(one: Edition, other: Edition): Edition {
  const { modified, justMade = false } = one.modified === null ? other : one;
  return { bytes: one.bytes ?? other.bytes, etag: one.etag ?? other.etag, modified, justMade };
}
