import { errorText, log } from '../../lib/log.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Person } from '../../repos/people/people.ts';
import type { Session } from '../../repos/people/sessions.ts';

/** How long a proof of identity counts for keys, members and the ways to sign in. */
export const FRESH_MINUTES = 15;
/** Precision of the last use; a higher one would cost a write per request. */
const SEEN_EVERY_MS = 5 * 60_000;

export interface SignedIn {
  session: Session;
  person: Person;
}

/** The session of a cookie; null if it has ended or expired. */
export async function findSession(context: PeopleContext, token: string): Promise<SignedIn | null> {
  const now = Date.now();
  const found = await context.sessions.find(await context.hash('session', token), now);
  if (found && found.session.lastSeenAt < now - SEEN_EVERY_MS) {
    await context.sessions.touch(found.session.id, now).catch((error: unknown) => {
      log('warn', 'visit_not_noted', { session_id: found.session.id, error: errorText(error) });
    });
  }
  return found;
}

/** Whether the person has proven their identity recently. */
export function isFresh({ provenAt }: Session, now: number): boolean {
  return provenAt <= now && now - provenAt < FRESH_MINUTES * 60_000;
}
