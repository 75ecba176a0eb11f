import { fromBase64url, toBase64url } from './base64url.ts';

/** A position in a list ordered by time and id, as an opaque text. The caller sends it back to get the next page. */
export function cursorOf({ createdAt, id }: { createdAt: number; id: string }): string {
  return toBase64url(new TextEncoder().encode(`${createdAt} ${id}`));
}

/** @returns null if the text is not a valid cursor. */
export function placeOfCursor(text: string): { createdAt: number; id: string } | null {
  if (!/^[\w-]+$/.test(text)) return null;
  let plain: string;
  try {
    plain = new TextDecoder().decode(fromBase64url(text));
  } catch {
    return null;
  }
  const [, createdAt, id] = /^(\d{1,15}) ([a-z]+_[0-9a-z]+)$/.exec(plain) ?? [];
  return createdAt === undefined || id === undefined ? null : { createdAt: Number(createdAt), id };
}
