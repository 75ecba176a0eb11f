import type { PeopleContext } from '../../people-context.ts';
import type { Session } from '../../repos/people/sessions.ts';
import type { SignedIn } from './find-session.ts';

/** The sessions of a person, latest use first. */
export function listSessions({ sessions }: PeopleContext, { person }: SignedIn): Promise<Session[]> {
  return sessions.list(person.id, Date.now());
}

/** Ends a session of this person at once. @returns false if they have no such session */
export function endSession({ sessions }: PeopleContext, { person }: SignedIn, id: string): Promise<boolean> {
  return sessions.end(person.id, id);
}

export function endOtherSessions({ sessions }: PeopleContext, { person, session }: SignedIn): Promise<void> {
  return sessions.endOthers(person.id, session.id);
}

/** Notes that the person has just proven their identity. */
export function noteProof({ sessions }: PeopleContext, { session }: SignedIn): Promise<void> {
  return sessions.prove(session.id, Date.now());
}
