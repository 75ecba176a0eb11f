import { confirmed, confirmedGone } from '../../lib/outage.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Session } from '../../repos/people/sessions.ts';
import type { SignedIn } from './find-session.ts';

/** The sessions of a person, latest use first. */
export function listSessions({ sessions }: PeopleContext, { person }: SignedIn): Promise<Session[]> {
  return sessions.list(person.id, Date.now());
}

/** Ends a session of this person at once. @returns false if they have no such session */
export function endSession({ sessions }: PeopleContext, { person }: SignedIn, id: string): Promise<boolean> {
  return confirmedGone(
    () => sessions.end(person.id, id),
    async () => (await sessions.list(person.id, Date.now())).find((session) => session.id === id) ?? null,
  );
}

export function endOtherSessions({ sessions }: PeopleContext, { person, session }: SignedIn): Promise<void> {
  return sessions.endOthers(person.id, session.id);
}

/**
 * Notes that the person has just proven their identity, and uses up the code that they did it with, if there is one.
 * @returns false if the code is used or expired
 */
export function noteProof(
  { sessions }: PeopleContext,
  { session }: SignedIn,
  challengeId: string | null,
): Promise<boolean> {
  const now = Date.now();
  return confirmed(
    () => sessions.prove(session.id, now, challengeId),
    async () => (await sessions.find(session.hash, now))?.session.provenAt === now || null,
  );
}
