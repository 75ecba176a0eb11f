import { newId } from '../../../schema/task/ids.ts';
import { DAY_MS } from '../../../schema/time.ts';
import { makeKey } from '../../lib/api-key.ts';
import { confirmed, confirmedGone } from '../../lib/outage.ts';
import type { PeopleContext } from '../../people-context.ts';
import { type KeyRow, type ListedKey, NEVER, type NewKey } from '../../repos/people/account-keys.ts';
import type { Change } from '../../repos/people/audit.ts';
import type { Actor } from '../members/members.ts';

/** Keys of an account that work at the same time. */
export const MAX_KEYS = 50;
/** The same, with keys that were rolled and still work. */
export const MAX_KEYS_ROLLED = 2 * MAX_KEYS;
/** More than can work, because each key that works has to be shown. */
const SHOWN = 200;
const MAX_LABEL = 100;
const HOUR_MS = 3600_000;

/** When a new key expires. */
export const lifetimes = {
  never: { doc: 'Never', ms: null },
  '30d': { doc: 'In 30 days', ms: 30 * DAY_MS },
  '90d': { doc: 'In 90 days', ms: 90 * DAY_MS },
  '365d': { doc: 'In a year', ms: 365 * DAY_MS },
} as const satisfies Record<string, { doc: string; ms: number | null }>;

const limited = Object.values(lifetimes)
  .flatMap(({ ms }) => ms ?? [])
  .sort((one, other) => one - other);

/** How long a key still works after it has been rolled. */
export const overlaps = {
  '0': { doc: 'Old key stops at once', ms: 0 },
  '1h': { doc: 'Old key works for 1 hour', ms: HOUR_MS },
  '24h': { doc: 'Old key works for 24 hours', ms: DAY_MS },
  '7d': { doc: 'Old key works for 7 days', ms: 7 * DAY_MS },
} as const satisfies Record<string, { doc: string; ms: number }>;

export type Lifetime = keyof typeof lifetimes;
export type Overlap = keyof typeof overlaps;

export type KeyStatus = 'active' | 'expired' | 'revoked';
export type KeyView = ListedKey & { status: KeyStatus };

/** A key that has just been made. The text is not stored, so this is the only time it can be shown. */
export interface MadeKey {
  id: string;
  label: string;
  key: string;
}

/** Every key that works, and the latest of the others; newest first. */
export async function listKeys({ keys }: PeopleContext, accountId: string): Promise<KeyView[]> {
  const now = Date.now();
  return (await keys.list(accountId, now, SHOWN)).map((key) => ({ ...key, status: statusOf(key, now) }));
}

function statusOf({ revokedAt, expiresAt }: Pick<KeyRow, 'revokedAt' | 'expiresAt'>, now: number): KeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** The text without control characters; null if nothing is left or it is too long. */
function labelOf(text: string): string | null {
  const label = text.replace(/\p{Cc}/gu, ' ').trim();
  return label === '' || label.length > MAX_LABEL ? null : label;
}

/** @returns null if the label is empty or too long, or the account has too many keys */
export async function createKey(
  context: PeopleContext,
  actor: Actor,
  { label: text, lifetime }: { label: string; lifetime: Lifetime },
): Promise<MadeKey | null> {
  const label = labelOf(text);
  if (!label) return null;
  const change = changeBy(actor, 'key.created', label);
  const { ms } = lifetimes[lifetime];
  const { key, row } = await newKey(context, actor, change, ms);
  const created = await madeOnce(context, row, () => context.keys.create(change, row, MAX_KEYS));
  return created ? { id: row.id, label, key } : null;
}

/**
 * How long a key was made to live; null if it does not expire. A release that recorded no lifetimes may have made the key, and rolled it
 * since, which only moves its end forward: the shortest lifetime that reaches that end is then at most its own.
 */
function lifetimeOf({ lifetime, createdAt, expiresAt }: KeyRow): number | null {
  if (lifetime === NEVER || (lifetime === null && expiresAt === null)) return null;
  if (lifetime !== null) return lifetime;
  const lived = (expiresAt ?? createdAt) - createdAt;
  return limited.find((ms) => ms >= lived) ?? lifetimes['365d'].ms;
}

/**
 * A new key in place of another one, with the same label.
 * @param since When the newest key of that label was made that the form shows: sent twice, it makes one key
 */
export async function rollKey(
  context: PeopleContext,
  actor: Actor,
  id: string,
  { overlap, since = Number.MAX_SAFE_INTEGER }: { overlap: Overlap; since?: number | undefined },
): Promise<MadeKey | 'no_key' | 'rolled_before' | 'too_many'> {
  const old = await context.keys.find(actor.accountId, id, Date.now());
  if (!old) return 'no_key';
  const change = changeBy(actor, 'key.rolled', old.label);
  const { key, row } = await newKey(context, actor, change, lifetimeOf(old));
  const limits = { until: change.now + overlaps[overlap].ms, since, most: MAX_KEYS_ROLLED };
  const rolled = await madeOnce(context, row, () => context.keys.roll(change, id, row, limits));
  if (rolled) return { id: row.id, label: old.label, key };
  const isSentAgain = await context.keys.isNewerThan(actor.accountId, old.label, since, change.now);
  return isSentAgain ? 'rolled_before' : 'too_many';
}

/** Ends a key at once. @returns false if the account has no such key, or it no longer works */
export async function revokeKey(context: PeopleContext, actor: Actor, id: string): Promise<boolean> {
  const known = await context.keys.find(actor.accountId, id, Date.now());
  if (known === null) return false;
  const change = changeBy(actor, 'key.revoked', known.label);
  return confirmedGone(
    () => context.keys.revoke(change, id),
    () => context.keys.find(actor.accountId, id, change.now),
  );
}

const changeBy = ({ accountId, person }: Actor, action: Change['action'], subject: string): Change => ({
  ...{ accountId, actor: person.email, action, subject },
  now: Date.now(),
});

/** Whether a key was written: its text is shown with this answer or never. */
const madeOnce = (
  { keys }: PeopleContext,
  { accountId, id, createdAt }: NewKey,
  write: () => Promise<boolean>,
) => confirmed(write, async () => (await keys.find(accountId, id, createdAt)) !== null || null);

async function newKey(
  { hashKey }: PeopleContext,
  { accountId }: Actor,
  { subject: label, now }: Change,
  lifetime: number | null,
): Promise<{ key: string; row: NewKey }> {
  const key = makeKey();
  return {
    key,
    row: {
      ...{ id: newId('key', now), accountId, label, lifetime },
      expiresAt: lifetime === null ? null : now + lifetime,
      hash: await hashKey(key),
      createdAt: now,
    },
  };
}
