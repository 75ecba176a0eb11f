import type { PeopleContext } from '../../people-context.ts';
import type { Challenge } from '../../repos/people/challenges.ts';

/**
 * The challenge of a link; null if it is unknown, used or expired. Uses nothing up, because mail scanners open links: the session that it
 * begins does.
 */
export async function readLink(context: PeopleContext, token: string): Promise<Challenge | null> {
  return context.challenges.read(await context.hash('link', token), 'sign_in', Date.now());
}
