import { toHex } from '../../../schema/bytes.ts';
import type { KeyedRequest } from '../../account/idempotency.ts';
import { headerProblem } from '../../lib/problem.ts';
import { canonicalJson } from '../../lib/text/canonical-json.ts';

/**
 * @param body a validated request, which is no deeper than its schema
 * @returns null without a key
 * @throws Problem validation_failed
 */
export async function idempotencyOf(
  key: string | undefined,
  operation: string,
  body: unknown,
): Promise<KeyedRequest | null> {
  if (key === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    const detail = 'The Idempotency-Key header must have 1 to 255 printable ASCII characters.';
    throw headerProblem('Idempotency-Key', detail);
  }
  const text = new TextEncoder().encode(`${operation}\n${canonicalJson(body)}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return { key, digest: toHex(hash) };
}
