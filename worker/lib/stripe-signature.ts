import { hmac, sameText } from '../../schema/api/signature.ts';
import { toHex } from '../../schema/bytes.ts';

const TOLERANCE_SECONDS = 300;
const MAX_HEADER = 1024;
const TIMESTAMP = /^\d{1,12}$/;
/** 32 bytes in hex. */
const SIGNATURE = /^[0-9a-f]{64}$/;

/** A `Stripe-Signature` header that passed every check that needs neither body nor secret. */
export interface StripeSignature {
  timestamp: string;
  /** Signatures of version 1, hex: two while the secret is being rotated. */
  signatures: readonly string[];
}

/**
 * Reads `t=<Unix seconds>,v1=<HMAC-SHA-256 of "t.body">,…`; other schemes are skipped. Computes no HMAC.
 * https://docs.stripe.com/webhooks/signature
 * @returns null if it cannot be valid for any body, or is more than 5 minutes old or early
 */
export function presentedStripeSignature(header: string | undefined, now: number): StripeSignature | null {
  if (!header || header.length > MAX_HEADER) return null;
  const parts = header.split(',').map((part) => part.trim().split('='));
  const valuesOf = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const [timestamp = '', ...more] = valuesOf('t');
  if (more.length > 0 || !TIMESTAMP.test(timestamp)) return null;
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > TOLERANCE_SECONDS) return null;
  const signatures = valuesOf('v1').filter((value) => SIGNATURE.test(value));
  return signatures.length === 0 ? null : { timestamp, signatures };
}

/** Whether one of the signatures matches this body, byte for byte, and secret. Constant-time comparison. */
export async function isSignedByStripe(
  secret: string,
  { timestamp, signatures }: StripeSignature,
  body: string,
): Promise<boolean> {
  const expected = toHex(await hmac(secret, `${timestamp}.${body}`));
  return signatures.filter((signature) => sameText(signature, expected)).length > 0;
}
