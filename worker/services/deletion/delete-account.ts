import { DAY_MS } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { log } from '../../lib/log.ts';
import { confirmedGone } from '../../lib/outage.ts';
import type { PeopleContext } from '../../people-context.ts';
import { dueMails, queueDue, toOwners } from '../mail/due-mails.ts';
import type { Actor } from '../members/members.ts';
import { startDeletion } from './continue-deletion.ts';

const MAIL_MS = DAY_MS;

/**
 * Deletes an account. Its keys and memberships end at once; a small account is gone when this returns, the sweeper deletes the rest of
 * a large one.
 */
export async function deleteAccount(
  context: PeopleContext,
  core: Context,
  { accountId, person }: Actor,
): Promise<void> {
  const owners = await context.members.owners(accountId);
  const now = Date.now();
  const contents = toOwners(owners, { kind: 'account_deleted', by: person.email });
  const mails = await dueMails(context, contents, { now, expiresAt: now + MAIL_MS });
  await confirmedGone(
    () => context.deletions.begin(accountId, now, mails).then(() => true),
    () => context.members.find(accountId, person.id),
  );
  log('info', 'account_deletion_begun', { account_id: accountId, person_id: person.id });
  await queueDue(context, mails);
  await startDeletion({ ...context, core }, accountId);
}
