import type { PeopleContext } from '../../people-context.ts';
import type { MailContent } from './mail-content.ts';
import { queueMail } from './queue-mail.ts';

type WithoutOwner<C> = C extends { account: string } ? Omit<C, 'to' | 'account'> : never;

/** Mails all owners of an account. Before an account is deleted, read its owners first: the deletion removes them. */
export async function mailOwners(
  context: PeopleContext,
  owners: Awaited<ReturnType<PeopleContext['members']['owners']>>,
  news: WithoutOwner<MailContent>,
  expiresAt: number,
): Promise<void> {
  for (const { email, account } of owners) {
    await queueMail(context, { ...news, to: email, account } as MailContent, expiresAt);
  }
}
