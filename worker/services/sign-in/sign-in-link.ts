import type { PeopleContext } from '../../people-context.ts';
import type { Challenge } from '../../repos/people/challenges.ts';

/** Whom a link would sign in; null if it is unknown, used or expired. Uses nothing up, because mail scanners open links. */
export async function readLink(context: PeopleContext, token: string): Promise<string | null> {
  const challenge = await context.challenges.read(await context.hash('link', token), 'sign_in', Date.now());
  return challenge?.email ?? null;
}

/** Uses up a link. @returns null if it is unknown, used or expired */
export async function takeLink(context: PeopleContext, token: string): Promise<Challenge | null> {
  return context.challenges.take(await context.hash('link', token), 'sign_in', Date.now());
}
