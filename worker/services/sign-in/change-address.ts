import type { PeopleContext } from '../../people-context.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { trialHash } from './begin-session.ts';
import type { Browser } from './browser.ts';
import type { SignedIn } from './find-session.ts';
import { sendCode } from './send-code.ts';
import { tryCode } from './take-code.ts';

const DAY_MS = 24 * 3600_000;

/** Mails a code to the present address and another one to the new address. */
export async function askToChangeAddress(
  context: PeopleContext,
  { person }: SignedIn,
  email: string,
  browser: Browser,
): Promise<void> {
  const next = '/app/settings';
  await sendCode(context, { purpose: 'old_address', email: person.email, next }, browser);
  await sendCode(context, { purpose: 'new_address', email, next }, browser);
}

/**
 * Changes the address if both codes are right, and ends all other sessions. A wrong code counts as a try of both.
 * @returns what is in the way: a wrong code, or another person who has this address (known only to somebody who proved it)
 */
export async function changeAddress(
  context: PeopleContext,
  { person, session }: SignedIn,
  codes: { old: string; new: string },
  browser: Browser,
): Promise<'changed' | 'wrong_code' | 'taken'> {
  const [old, fresh] = [
    await tryCode(context, 'old_address', codes.old, browser),
    await tryCode(context, 'new_address', codes.new, browser),
  ];
  if (!old || !fresh?.email || old.email !== person.email) return 'wrong_code';
  const now = Date.now();
  const used = [await context.challenges.use(old.id, now), await context.challenges.use(fresh.id, now)];
  if (used.includes(false)) return 'wrong_code';
  if (!(await context.people.changeEmail(person.id, person.email, fresh.email))) return 'taken';
  await context.trials.follow(await trialHash(context, person.email), await trialHash(context, fresh.email));
  await context.sessions.endOthers(person.id, session.id);
  await queueMail(context, { kind: 'address_changed', to: person.email }, now + DAY_MS);
  return 'changed';
}
