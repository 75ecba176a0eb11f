import type { Context } from '../../context.ts';
import { KEY_PREFIX, looksLikeKey } from '../../lib/api-key.ts';
import { errorText, log } from '../../lib/log.ts';
import { Problem } from '../../lib/problem.ts';
import type { Principal } from '../../repos/keys.ts';
import { refusal, refuseGuesses } from './request-limit.ts';

/** Precision of a key's `last_used_at`; a higher one would cost a write per request. */
const LAST_USED_EVERY_MS = 5 * 60_000;

/**
 * The hash of the key that a request carries in `X-API-Key` or `Authorization: Bearer`.
 * @throws Problem missing_api_key, invalid_api_key, rate_limited (too many refusals)
 */
export async function presentedKeyHash(
  context: Context,
  header: (name: string) => string | undefined,
): Promise<string> {
  const bearer = /^Bearer +(\S+) *$/i.exec(header('authorization') ?? '')?.[1];
  const key = header('x-api-key')?.trim() || bearer;
  if (!key) throw await refusal(context, header, new Problem('missing_api_key', whyMissing(header)));
  if (!looksLikeKey(key))
    throw await refusal(context, header, new Problem('invalid_api_key', whyInvalid(key)));
  const hash = await context.hashKey(key);
  refuseGuesses(context, header, hash);
  return hash;
}

/** Headers in which other services take a key. */
const otherHeaders = [
  ...['api-key', 'apikey', 'x-apikey', 'x-api-token', 'x-api-secret', 'api-token', 'x-key', 'x-auth-key'],
  ...['x-auth-token', 'x-access-token', 'access-token', 'x-token', 'token', 'x-spool-key', 'x-spool-api-key'],
];

/** Where a key probably is instead, if it is not where it belongs. */
function whyMissing(header: (name: string) => string | undefined): string | undefined {
  const other = otherHeaders.find((name) => header(name));
  if (other !== undefined) return `The header ${other} is not read. Send your key in the X-API-Key header.`;
  return header('authorization')
    ? 'The Authorization header must be `Bearer` and your key. Or send your key in the X-API-Key header.'
    : undefined;
}

/** What is wrong with a text that is no key at all. A misspelt key is refused in the words that an unknown one is. */
function whyInvalid(text: string): string | undefined {
  if (text.startsWith(KEY_PREFIX)) return undefined;
  return text.includes(KEY_PREFIX)
    ? 'The API key has other text around it. Send the key alone, without quotes and without `Bearer` in X-API-Key.'
    : `The API key is not a key of this service, which begins with \`${KEY_PREFIX}\`. Check that your program has the key and not the name of a variable.`;
}

/** Parameters in which other services take a key. */
const queryNames = new Set([
  ...['api_key', 'apikey', 'api-key', 'x-api-key', 'key', 'token', 'access_token', 'auth'],
]);

/** Whether an address has a key in its query string, where it is not read. */
export function hasKeyInQuery(address: string): boolean {
  return [...new URL(address).searchParams].some(
    ([name, value]) => value.startsWith(KEY_PREFIX) || queryNames.has(name.toLowerCase()),
  );
}

/** @throws Problem missing_api_key, invalid_api_key (malformed, unknown and revoked look the same), rate_limited (too many refusals) */
export async function authenticate(
  context: Context,
  header: (name: string) => string | undefined,
): Promise<Principal> {
  const hash = await presentedKeyHash(context, header);
  const principal = await context.keys.findPrincipal(hash, Date.now());
  if (!principal) throw await refusal(context, header, new Problem('invalid_api_key'));
  context.limiter.noteValidKey(hash);
  await noteUse(context, principal);
  return principal;
}

/** Updates `last_used_at` of a key. If that fails, the request goes on: the next one does it. */
export async function noteUse(
  context: Context,
  { keyId, lastUsedAt }: Pick<Principal, 'keyId' | 'lastUsedAt'>,
): Promise<void> {
  const now = Date.now();
  const before = now - LAST_USED_EVERY_MS;
  const last = lastUsedAt ?? 0;
  if (last > before && last <= now) return;
  try {
    await context.keys.touch(keyId, now, before);
  } catch (error) {
    log('warn', 'use_not_noted', { key_id: keyId, error: errorText(error) });
  }
}
