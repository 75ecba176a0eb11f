import type { IncomingHttpHeaders } from 'node:http';

/** What tells one state of the file at a URL from another; null for what the origin does not say. */
export interface Edition {
  bytes: number | null;
  etag: string | null;
  modified: string | null;
}

export function editionOf(headers: IncomingHttpHeaders, bytes: number | null): Edition {
  return { bytes, etag: headers.etag ?? null, modified: headers['last-modified'] ?? null };
}

/** Whether both can be the same state: nothing that both say differs. */
export function sameEdition(one: Edition, other: Edition): boolean {
  return (['bytes', 'etag', 'modified'] as const).every(
    (name) => one[name] === null || other[name] === null || one[name] === other[name],
  );
}

/** What is known after both. */
export function merged(one: Edition, other: Edition): Edition {
  return {
    bytes: one.bytes ?? other.bytes,
    etag: one.etag ?? other.etag,
    modified: one.modified ?? other.modified,
  };
}
