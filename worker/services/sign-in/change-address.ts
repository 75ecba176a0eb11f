import { DAY_MS } from '../../../schema/time.ts';
import { confirmed } from '../../lib/outage.ts';
import type { PeopleContext } from '../../people-context.ts';
import { dueMails, queueDue } from '../mail/due-mails.ts';
import { trialHash } from './begin-session.ts';
import type { Browser } from './browser.ts';
import type { SignedIn } from './find-session.ts';
import { sendCode } from './send-code.ts';
import { tryCode } from './try-code.ts';

/**
 * Mails a code to the present address and another one to the new address.
 * @returns false if one of them has had too many
 */
export async function askToChangeAddress(
  context: PeopleContext,
  { person }: SignedIn,
  email: string,
  browser: Browser,
): Promise<boolean> {
  const next = '/app/settings';
  return (
    (await sendCode(context, { purpose: 'old_address', email: person.email, next }, browser)) &&
    (await sendCode(context, { purpose: 'new_address', email, next }, browser))
  );
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
  const to = fresh.email;
  const contents = [{ kind: 'address_changed', to: person.email }] as const;
  const mails = await dueMails(context, contents, { now, expiresAt: now + DAY_MS });
  const change = {
    ...{ sessionId: session.id, challengeIds: [old.id, fresh.id], mails, now },
    trial: { from: await trialHash(context, person.email), to: await trialHash(context, to) },
  };
  const owner = async () => (await context.people.byEmail(to))?.id;
  const changed = await confirmed(
    () => context.people.changeEmail(person, to, change),
    async () => (await owner()) === person.id || null,
  );
  await queueDue(context, mails);
  if (changed) return 'changed';
  return (await owner()) === undefined ? 'wrong_code' : 'taken';
}
