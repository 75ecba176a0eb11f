import type { PeopleContext } from '../../people-context.ts';
import type { NewChallenge } from '../../repos/people/challenges.ts';
import type { Browser } from './browser.ts';

/**
 * In an hour: mails to one address, with as many for its signed-in person, and challenges and invitations of one client
 * address.
 */
export const HOURLY = { perEmail: 6, perCaller: 100 };
const HOUR_MS = 3600_000;

/** @returns false, with nothing written, if there were too many of this address or of this client */
export async function noteChallenge(
  context: PeopleContext,
  about: Omit<NewChallenge, 'browser' | 'caller'>,
  browser: Browser,
): Promise<boolean> {
  const row = {
    ...about,
    browser: await context.hash('browser', browser.token),
    caller: await context.hash('caller', browser.address),
  };
  return context.challenges.create(row, { since: about.createdAt - HOUR_MS, ...HOURLY });
}
