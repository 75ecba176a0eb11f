import { toBase64, toHex } from '../bytes.ts';

/**
 * Messages signed using Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks): headers `webhook-id`,
 * `webhook-timestamp` (Unix seconds) and `webhook-signature: v1,<base64 HMAC-SHA-256 of id.timestamp.body>`.
 */
const SIGNATURE_TOLERANCE_SECONDS = 300;

const encoder = new TextEncoder();

/** The type has a different name in each runtime. */
export type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Imports a secret once for repeated HMAC-SHA-256. */
export async function hmacKey(secret: string | Uint8Array<ArrayBuffer>) {
  const bytes = typeof secret === 'string' ? encoder.encode(secret) : secret;
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** HMAC-SHA-256, 32 bytes. */
export async function hmac(secret: string | HmacKey, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = typeof secret === 'string' ? await hmacKey(secret) : secret;
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

/** Derives a secret for one purpose from a master secret; 64 lower-case hex characters. */
export async function deriveSecret(master: string, purpose: string): Promise<string> {
  return toHex(await hmac(master, purpose));
}

/** Signature headers for a body, signed with one secret or, during a rotation, with several. */
export async function signatureHeaders(
  secrets: string | readonly HmacKey[],
  id: string,
  body: string,
  now: number = Date.now(),
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = (typeof secrets === 'string' ? [secrets] : secrets).map(async (secret) => {
    return `v1,${toBase64(await hmac(secret, `${id}.${timestamp}.${body}`))}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
}

/** Signature headers that passed every check that needs neither body nor secret. */
export interface PresentedSignature {
  id: string;
  timestamp: string;
  /** Signatures of version 1, base64. */
  signatures: readonly string[];
}

/** Two are sent during a rotation; the rest is headroom for other signature versions. */
const MAX_SIGNATURES = 4;
const MAX_SIGNATURE_HEADER = 512;
const MESSAGE_ID = /^[\x21-\x7e]{1,128}$/;
const TIMESTAMP = /^\d{1,12}$/;
/** 32 bytes in base64. */
const V1_SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/** @returns null if the headers cannot be valid for any body, or are older than 5 minutes. Computes no HMAC. */
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

/** Whether one of the signatures matches this body and secret. One HMAC, constant-time comparison. */
export async function isSignedWith(
  secret: string,
  { id, timestamp, signatures }: PresentedSignature,
  body: string,
): Promise<boolean> {
  const expected = toBase64(await hmac(secret, `${id}.${timestamp}.${body}`));
  return signatures.filter((signature) => sameText(signature, expected)).length > 0;
}

/** Constant-time comparison; only the lengths can leak. */
export function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
