import type { PeopleContext } from '../../people-context.ts';
import type { OutboxMail } from '../../repos/people/outbox.ts';

/** The mails that were kept in place of sending them, newest first; null if the service has no outbox. */
export async function readOutbox({ config, outbox }: PeopleContext): Promise<OutboxMail[] | null> {
  return config.MAIL === 'outbox' ? outbox.list() : null;
}
