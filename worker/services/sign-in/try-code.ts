import { sameText } from '../../../schema/api/signature.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Challenge } from '../../repos/people/challenges.ts';
import type { Browser } from './browser.ts';
import type { MailedPurpose } from './send-code.ts';

export const MAX_TRIES = 5;

/**
 * The challenge whose code this is. Only the browser that asked for a code can enter it, at most five times. It is used up by what it was
 * proven for.
 * @returns null if the code is wrong, used or expired, or was tried too often: all of these look the same
 */
export async function tryCode(
  context: PeopleContext,
  purpose: MailedPurpose,
  code: string,
  { token }: Pick<Browser, 'token'>,
): Promise<Challenge | null> {
  const asked = { purpose, browser: await context.hash('browser', token) };
  const challenge = await context.challenges.tryCode(asked, MAX_TRIES, Date.now());
  const digits = code.replaceAll(/\s/g, '').slice(0, 6);
  const given = await context.hash('code', `${challenge?.id ?? ''}.${digits}`);
  return challenge && sameText(challenge.codeHash ?? '', given) ? challenge : null;
}
