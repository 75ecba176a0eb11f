import { and, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { auditEvents, challenges, members, people } from '../drizzle/people.ts';
import { newId } from '../schema/task/ids.ts';
import { hashKey } from '../worker/lib/api-key.ts';
import { makeToken } from '../worker/services/sign-in/secrets.ts';

/** Only builds statements; d1.ts runs them. */
const db = drizzle(async () => {
  throw new Error('Run the statement with an Execute of d1.ts');
});

/** How long a link of the operator works. */
const LINK_MS = 24 * 3600_000;

export type Role = 'owner' | 'member';

/** Creates the person with this address if there is none, and makes them a member; an existing membership stays as it is. */
export function ensureMember(accountId: string, email: string, role: Role) {
  const now = Date.now();
  return [
    db
      .insert(people)
      .values({ id: newId('person', now), email, createdAt: now })
      .onConflictDoNothing(),
    db
      .insert(members)
      .select(sql`select ${accountId}, id, ${role}, ${now} from people where email = ${email}`)
      .onConflictDoNothing(),
  ];
}

/** Records in the log of an account that the operator let somebody in, directly after `ensureMember`, and only if that added a member. */
export function operatorNote(accountId: string, email: string) {
  const now = Date.now();
  // In the order of the table's columns.
  return db.insert(auditEvents).select(sql`
    select ${newId('audit_event', now)}, ${accountId}, 'the operator', 'member.joined', ${email}, ${now} where changes() > 0`);
}

/** The role that an address has in an account. */
export function selectRole(accountId: string, email: string) {
  return db
    .select({ role: members.role })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(and(eq(members.accountId, accountId), eq(people.email, email)));
}

/** A link that signs this address in, once, within a day. The token itself is not stored. */
export async function insertSignInLink(email: string, publicUrl: string, pepper: string) {
  const now = Date.now();
  const token = makeToken();
  const statement = db.insert(challenges).values({
    id: newId('challenge', now),
    purpose: 'sign_in',
    email,
    browser: '',
    caller: '',
    secretHash: await hashKey(`link:${token}`, pepper),
    tries: 0,
    next: '/app',
    createdAt: now,
    expiresAt: now + LINK_MS,
  });
  const expiresAt = new Date(now + LINK_MS).toISOString();
  return { link: `${publicUrl}/app/sign-in/link?token=${token}`, expiresAt, statement };
}
