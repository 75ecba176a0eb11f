import { type HmacKey, hmac } from '../../schema/api/signature.ts';
import { toHex } from '../../schema/bytes.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** How every key begins. */
export const KEY_PREFIX = 'spool_live_';

const format = /^spool_live_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** CRC-32 (ISO-HDLC) as in RFC 1952. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62))
    text = alphabet[rest % 62] + text;
  return text;
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

/** A new key: `spool_live_<id of 12>_<secret of 43><CRC-32 of 6>`, base62; the secret has 256 bits. */
export function makeKey(): string {
  const body = `spool_live_${randomText(12)}_${randomText(43)}`;
  return body + base62(crc32(body), 6);
}

/** Whether a text has the format and checksum of a key, so that a typing error costs no database query. */
export function looksLikeKey(text: string): boolean {
  return format.test(text) && base62(crc32(text.slice(0, -6)), 6) === text.slice(-6);
}

/** The stored hash of a key: HMAC-SHA-256 with the pepper, in hex. */
export async function hashKey(key: string, pepper: string | HmacKey): Promise<string> {
  return toHex(await hmac(pepper, key));
}
