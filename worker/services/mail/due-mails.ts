import { newId } from '../../../schema/task/ids.ts';
import { errorText, log } from '../../lib/log.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { DueMail } from '../../repos/people/due-mails.ts';
import type { MailContent } from './mail-content.ts';

/** Leaves the request that wrote a mail the time to queue it. */
const LEFT_MS = 60_000;
/** Mails per sweep. */
const MOST = 200;

type WithoutOwner<C> = C extends { account: string } ? Omit<C, 'to' | 'account'> : never;
type Owners = Awaited<ReturnType<PeopleContext['members']['owners']>>;

/** Mails to write together with the change that they are about; none if the service sends no mail. */
export async function dueMails(
  { mailer, sealer }: Pick<PeopleContext, 'mailer' | 'sealer'>,
  contents: readonly MailContent[],
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<DueMail[]> {
  if (!mailer) return [];
  return Promise.all(
    contents.map(async (content) => {
      const id = newId('mail', now);
      return { id, sealed: await sealer.seal(JSON.stringify(content), id), createdAt: now, expiresAt };
    }),
  );
}

/** One for each owner of an account. Before an account is deleted, read its owners first: the deletion removes them. */
export const toOwners = (owners: Owners, news: WithoutOwner<MailContent>): MailContent[] =>
  owners.map(({ email, account }) => ({ ...news, to: email, account }) as MailContent);

/** Queues the mails, as far as they were written. Does not throw: the sweep queues what is left. */
export async function queueDue(context: PeopleContext, mails: readonly DueMail[]): Promise<void> {
  if (mails.length === 0) return;
  try {
    for (const mail of await context.dueMails.of(mails.map(({ id }) => id))) await queue(context, mail);
  } catch (error) {
    log('warn', 'mail_not_queued', {
      mail_ids: mails.map(({ id }) => id).join(' '),
      error: errorText(error),
    });
  }
}

/** Queues the mails that were written and not queued. */
export async function sweepDueMails(context: PeopleContext, now: number): Promise<void> {
  for (const mail of await context.dueMails.writtenBefore(now - LEFT_MS, MOST)) await queue(context, mail);
}

/** A mail that is queued twice has the same id both times. */
async function queue(context: PeopleContext, { id, sealed, expiresAt }: DueMail): Promise<void> {
  await context.queueMail({ v: 1, id, sealed, expires_at: expiresAt });
  await context.dueMails.remove(id);
}
