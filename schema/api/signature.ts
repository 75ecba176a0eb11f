/**
 * Signed messages after Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks): headers `webhook-id`,
 * `webhook-timestamp` (Unix seconds) and `webhook-signature: v1,<base64 HMAC-SHA-256 of id.timestamp.body>`.
 */
const SIGNATURE_TOLERANCE_SECONDS = 300;

const encoder = new TextEncoder();

/** Every runtime has the type under another name. */
export type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A key for HMAC-SHA-256, of a text or of bytes; importing it once spares the repeated use of one secret. */
export async function hmacKey(secret: string | Uint8Array<ArrayBuffer>) {
  const bytes = typeof secret === 'string' ? encoder.encode(secret) : secret;
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** HMAC-SHA-256 of a text, 32 bytes. */
export async function hmac(secret: string | HmacKey, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = typeof secret === 'string' ? await hmacKey(secret) : secret;
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

/** A secret for one purpose, derived from a master secret; lower-case hex, 64 characters. */
export async function deriveSecret(master: string, purpose: string): Promise<string> {
  const mac = await hmac(master, purpose);
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The three headers that sign this body, with one secret or, during a rotation, with several. */
export async function signatureHeaders(
  secrets: string | readonly HmacKey[],
  id: string,
  body: string,
  now: number = Date.now(),
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = (typeof secrets === 'string' ? [secrets] : secrets).map(async (secret) => {
    const mac = await hmac(secret, `${id}.${timestamp}.${body}`);
    return `v1,${base64(mac)}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
}

/** The headers of a signed message, as far as they can be true: everything that can be refused without the body. */
interface PresentedSignature {
  id: string;
  timestamp: string;
  /** Signatures of version 1, base64. */
  signatures: readonly string[];
}

/** Two are listed while a secret is rotated; a few more leave room for the versions of other senders. */
const MAX_SIGNATURES = 4;
const MAX_SIGNATURE_HEADER = 512;
const MESSAGE_ID = /^[\x21-\x7e]{1,128}$/;
const TIMESTAMP = /^\d{1,12}$/;
/** 32 bytes in base64. */
const V1_SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/** @returns null where no body could make these headers valid within five minutes of `now`; costs no HMAC. */
export function presentedSignature(
  header: (name: string) => string | null | undefined,
  now: number = Date.now(),
): PresentedSignature | null {
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const list = header('webhook-signature');
  if (!id || !timestamp || !list || list.length > MAX_SIGNATURE_HEADER) return null;
  if (!MESSAGE_ID.test(id) || !TIMESTAMP.test(timestamp)) return null;
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > SIGNATURE_TOLERANCE_SECONDS) return null;
  const parts = list.split(' ');
  if (parts.length > MAX_SIGNATURES) return null;
  const signatures = parts.flatMap((part) => V1_SIGNATURE.exec(part)?.[1] ?? []);
  return signatures.length === 0 ? null : { id, timestamp, signatures };
}

/** Whether one of the signatures is that of this body with this secret: one HMAC, compared in constant time. */
export async function isSignedWith(
  secret: string,
  { id, timestamp, signatures }: PresentedSignature,
  body: string,
): Promise<boolean> {
  const expected = base64(await hmac(secret, `${id}.${timestamp}.${body}`));
  return signatures.filter((signature) => sameText(signature, expected)).length > 0;
}

/** Whether the headers sign this body with this secret, within five minutes. */
export async function signatureIsValid(
  secret: string,
  header: (name: string) => string | null | undefined,
  body: string,
  now: number = Date.now(),
): Promise<boolean> {
  const presented = presentedSignature(header, now);
  return presented !== null && isSignedWith(secret, presented, body);
}

/** Compares in a time that depends on the lengths alone. */
export function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
