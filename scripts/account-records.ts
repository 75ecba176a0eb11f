import { asc, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { type AuditAction, auditEvents } from '../drizzle/people.ts';
import { accounts, keys } from '../drizzle/tables.ts';
import type { PlanName } from '../schema/api/plans.ts';
import { newId } from '../schema/task/ids.ts';
import { hashKey, makeKey } from '../worker/lib/api-key.ts';

/** Only builds statements; d1.ts runs them. */
const db = drizzle(async () => {
  throw new Error('Run the statement with an Execute of d1.ts');
});

export type Subscription = 'active' | 'inactive';

interface NewAccount {
  id?: string;
  name: string;
  plan: PlanName;
}

export function insertAccount({ id = newId('account'), name, plan }: NewAccount) {
  const row = { id, name, plan, subscription: 'active' as const, createdAt: Date.now() };
  return { id, statement: db.insert(accounts).values(row) };
}

/** Creates an account if it does not exist; an existing one keeps its settings. */
export function ensureAccount(account: NewAccount & { id: string }) {
  return insertAccount(account).statement.onConflictDoNothing();
}

interface AccountChange {
  plan?: PlanName;
  subscription?: Subscription;
}

export function updateAccount(id: string, change: AccountChange) {
  // An operator who sets the subscription ends the trial. If it is active, grace ends too: a sweep would make it inactive again.
  const values = {
    ...change,
    ...(change.subscription === undefined ? {} : { trialEndsAt: null }),
    ...(change.subscription === 'active' ? { payBy: null } : {}),
  };
  return db.update(accounts).set(values).where(eq(accounts.id, id)).returning({ id: accounts.id });
}

/** The log of an account names the operator in place of a person. */
const noted = (action: AuditAction, now: number) =>
  // In the order of the table's columns.
  ({ head: sql`${newId('audit_event', now)}`, tail: sql`'the operator', ${action}` });

/** Records in the log of an account what `updateAccount` is about to change; nothing if the account is like that already. */
export function noteChange(id: string, { plan, subscription }: AccountChange) {
  const now = Date.now();
  const { head, tail } = noted('subscription.changed', now);
  const [nextPlan, next] = [
    sql`coalesce(${plan ?? null}, plan)`,
    sql`coalesce(${subscription ?? null}, subscription)`,
  ];
  return db.insert(auditEvents).select(sql`
    select ${head}, id, ${tail}, ${nextPlan} || iif(${next} = 'inactive', ', inactive', ''), ${now}
    from accounts where id = ${id} and (plan <> ${nextPlan} or subscription <> ${next})`);
}

export function selectAccount(id: string) {
  return db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id));
}

export function selectAccounts() {
  return db.select().from(accounts).orderBy(asc(accounts.id));
}

/** Adds a key to an account. The key itself is not stored. */
export async function insertKey(accountId: string, label: string, pepper: string) {
  const key = makeKey();
  const id = newId('key');
  const row = { id, accountId, label, hash: await hashKey(key, pepper), createdAt: Date.now() };
  return { id, key, statement: db.insert(keys).values(row) };
}

/** Records in the log of an account that the operator has created a key. */
export function noteKey(accountId: string, label: string) {
  const now = Date.now();
  const { head, tail } = noted('key.created', now);
  return db.insert(auditEvents).select(sql`select ${head}, ${accountId}, ${tail}, ${label}, ${now}`);
}

/** Makes a known key valid under the given id, replacing any key with that id. */
export async function ensureKey(id: string, accountId: string, label: string, key: string, pepper: string) {
  const hash = await hashKey(key, pepper);
  const statement = db
    .insert(keys)
    .values({ id, accountId, label, hash, createdAt: Date.now() })
    .onConflictDoUpdate({ target: keys.id, set: { hash, revokedAt: null, expiresAt: null, lifetime: null } });
  // Wrapped in an object, because the builder is a thenable, and returning it from an async function would run it.
  return { statement };
}

/** A key that is revoked already keeps the time of that. */
export function revokeKey(id: string) {
  const revokedAt = sql`coalesce(${keys.revokedAt}, ${Date.now()})`;
  return db.update(keys).set({ revokedAt }).where(eq(keys.id, id)).returning({ id: keys.id });
}

/** Records in the log of its account that a key is about to be revoked; nothing if it is already. */
export function noteRevocation(id: string) {
  const now = Date.now();
  const { head, tail } = noted('key.revoked', now);
  return db.insert(auditEvents).select(sql`
    select ${head}, account_id, ${tail}, label, ${now} from keys where id = ${id} and revoked_at is null`);
}

export function selectKeys(accountId: string | undefined) {
  const columns = {
    id: keys.id,
    account_id: keys.accountId,
    label: keys.label,
    created_at: keys.createdAt,
    last_used_at: keys.lastUsedAt,
    revoked_at: keys.revokedAt,
  };
  return db
    .select(columns)
    .from(keys)
    .where(accountId === undefined ? undefined : eq(keys.accountId, accountId))
    .orderBy(asc(keys.id));
}
