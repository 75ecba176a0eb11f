import type { Context } from '../context.ts';
import { hashKey, looksLikeKey } from '../lib/api-key.ts';
import { Problem } from '../problem.ts';
import type { Principal } from '../repos/keys.ts';

/**
 * The hash of the key that a request carries in `X-API-Key` or `Authorization: Bearer`.
 * @throws Problem missing_api_key, invalid_api_key
 */
export async function presentedKeyHash(
  context: Context,
  header: (name: string) => string | undefined,
): Promise<string> {
  const bearer = /^Bearer +(\S+) *$/i.exec(header('authorization') ?? '')?.[1];
  const key = header('x-api-key')?.trim() || bearer;
  if (!key) throw new Problem('missing_api_key');
  if (!looksLikeKey(key)) throw new Problem('invalid_api_key');
  return hashKey(key, context.config.KEY_PEPPER);
}

/** @throws Problem missing_api_key, invalid_api_key (malformed, unknown and revoked look the same) */
export async function authenticate(
  context: Context,
  header: (name: string) => string | undefined,
): Promise<Principal> {
  const principal = await context.keys.findPrincipal(await presentedKeyHash(context, header));
  if (!principal) throw new Problem('invalid_api_key');
  return principal;
}
