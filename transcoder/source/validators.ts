import type { IncomingHttpHeaders } from 'node:http';

/** Identifies a version of the file at a URL; null for values that the origin does not state. */
export interface Edition {
  bytes: number | null;
  etag: string | null;
  modified: string | null;
}

export function editionOf(headers: IncomingHttpHeaders, bytes: number | null): Edition {
  return { bytes, etag: headers.etag ?? null, modified: headers['last-modified'] ?? null };
}

/** Whether both can be the same version: no value stated by both differs. */
export function sameEdition(one: Edition, other: Edition): boolean {
  return (['bytes', 'etag', 'modified'] as const).every(
    (name) => one[name] === null || other[name] === null || one[name] === other[name],
  );
}

/** Combines the values stated by both. */
export function merged(one: Edition, other: Edition): Edition {
  return {
    bytes: one.bytes ?? other.bytes,
    etag: one.etag ?? other.etag,
    modified: one.modified ?? other.modified,
  };
}
