import { fromBase64, toBase64 } from '../bytes.ts';
import { hmac } from './signature.ts';

const encoder = new TextEncoder();
const IV_BYTES = 12;

/**
 * Encrypts secrets that must be readable later: AES-256-GCM with a key derived from the master secret, base64 of IV and
 * ciphertext. `about` is authenticated, so a secret cannot be moved to another owner.
 */
export function sealer(master: string) {
  let made: ReturnType<typeof sealingKey> | undefined;
  const key = () => {
    made ??= sealingKey(master);
    return made;
  };
  const algorithm = (iv: Uint8Array, about: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: encoder.encode(about),
  });
  return {
    async seal(text: string, about: string): Promise<string> {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const sealed = await crypto.subtle.encrypt(algorithm(iv, about), await key(), encoder.encode(text));
      return toBase64(Uint8Array.of(...iv, ...new Uint8Array(sealed)));
    },

    /** Throws if `about` or the master secret differs. */
    async open(sealed: string, about: string): Promise<string> {
      const bytes = fromBase64(sealed);
      const iv = bytes.subarray(0, IV_BYTES);
      const text = await crypto.subtle.decrypt(algorithm(iv, about), await key(), bytes.subarray(IV_BYTES));
      return new TextDecoder().decode(text);
    },
  };
}

async function sealingKey(master: string) {
  return crypto.subtle.importKey('raw', await hmac(master, 'seal'), 'AES-GCM', false, ['encrypt', 'decrypt']);
}
