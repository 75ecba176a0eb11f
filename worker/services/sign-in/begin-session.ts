import { newId } from '../../../schema/task/ids.ts';
import { DAY_MS } from '../../../schema/time.ts';
import { log } from '../../lib/log.ts';
import { confirmed } from '../../lib/outage.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { FirstAccount, Person } from '../../repos/people/people.ts';
import type { Browser } from './browser.ts';
import { makeToken } from './secrets.ts';
import { SESSION_DAYS } from './session-length.ts';

/**
 * The account of somebody who signs in for the first time, as the operator has set it. An address gets one free trial, also if its
 * person or account was deleted since.
 */
export async function firstAccount(
  context: PeopleContext,
  email: string,
  now: number,
): Promise<FirstAccount> {
  const { config, trials } = context;
  const trialOf = await trialHash(context, email);
  const trial = config.SIGN_UP === 'trial' && !(await trials.had(trialOf));
  return {
    trialOf,
    plan: 'basic',
    subscription: trial ? 'active' : 'inactive',
    trialEndsAt: trial ? now + config.TRIAL_DAYS * DAY_MS : null,
  };
}

/** The form in which a free trial is remembered. */
export const trialHash = ({ hash }: PeopleContext, email: string) => hash('trial', email);

/** The person who has just proven this address; created on the first sign-in. */
export async function personOf(context: PeopleContext, email: string): Promise<Person> {
  const now = Date.now();
  const known = await context.people.byEmail(email);
  return known ?? context.people.ensure(email, await firstAccount(context, email, now), now);
}

/**
 * Signs a person in. The session always gets a new token, and the session that the browser had until now ends. A code or link is used up
 * by the session that it begins: where nothing could be written, it still works.
 * @returns the token for the cookie; null if the code or link is used or expired
 */
export async function beginSession(
  context: PeopleContext,
  person: Person,
  browser: Browser,
  challengeId: string | null,
): Promise<string | null> {
  const now = Date.now();
  const token = makeToken();
  const session = {
    id: newId('session', now),
    personId: person.id,
    hash: await context.hash('session', token),
    agent: browser.agent,
    place: browser.place,
    createdAt: now,
    lastSeenAt: now,
    provenAt: now,
    expiresAt: now + SESSION_DAYS * DAY_MS,
  };
  const ended = await context.hash('session', browser.token);
  const begun = await confirmed(
    () => context.sessions.begin(session, ended, challengeId),
    async () => (await context.sessions.find(session.hash, now)) !== null || null,
  );
  if (!begun) return null;
  log('info', 'signed_in', { person_id: person.id });
  return token;
}
