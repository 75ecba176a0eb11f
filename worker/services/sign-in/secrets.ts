import { toBase64url } from '../../lib/text/base64url.ts';

const TOKEN_BYTES = 32;
const CODES = 1_000_000;

/** A random token of 256 bits, base64url. */
export function makeToken(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
}

/** Six random digits, each code equally likely. */
export function makeCode(): string {
  const most = 2 ** 32 - (2 ** 32 % CODES);
  for (;;) {
    const [value = most] = crypto.getRandomValues(new Uint32Array(1));
    if (value < most) return String(value % CODES).padStart(6, '0');
  }
}
