import { fromBase64, toBase64 } from '../../../schema/bytes.ts';
/** Base64url without padding, RFC 4648 section 5. */
export const toBase64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** @throws DOMException if the text is not base64url */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
