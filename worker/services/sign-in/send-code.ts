import { newId } from '../../../schema/task/ids.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { ChallengePurpose } from '../../repos/people/challenges.ts';
import { queueMail } from '../mail/queue-mail.ts';
import type { Browser } from './browser.ts';
import { noteChallenge } from './note-challenge.ts';
import { makeCode, makeToken } from './secrets.ts';

export const CODE_MINUTES = 10;
const CODE_MS = CODE_MINUTES * 60_000;

export type MailedPurpose = Extract<ChallengePurpose, 'sign_in' | 'prove' | 'old_address' | 'new_address'>;

/**
 * Mails a code, and a link if it is for signing in. Whether a person has this address is not looked up: neither the
 * response nor its time can tell. To a visitor, they do not tell either whether the limit of an hour is reached.
 * @returns whether it was mailed; false at the limit
 */
export async function sendCode(
  context: PeopleContext,
  about: { purpose: MailedPurpose; email: string; next: string },
  browser: Browser,
): Promise<boolean> {
  const { purpose, email, next } = about;
  const now = Date.now();
  const [id, token, code] = [newId('challenge', now), makeToken(), makeCode()];
  const noted = await noteChallenge(
    context,
    {
      ...{ id, purpose, email, next },
      secretHash: await context.hash('link', token),
      codeHash: await context.hash('code', `${id}.${code}`),
      ...{ createdAt: now, expiresAt: now + CODE_MS },
    },
    browser,
  );
  if (!noted) return false;
  const link = `${context.config.PUBLIC_URL}/app/sign-in/link?token=${token}`;
  await queueMail(
    context,
    purpose === 'sign_in' ? { kind: purpose, to: email, code, link } : { kind: purpose, to: email, code },
    now + CODE_MS,
  );
  return true;
}
