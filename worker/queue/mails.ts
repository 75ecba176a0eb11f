import { mailMessage } from '../../schema/api/mail.ts';
import { errorText, log } from '../lib/log.ts';
import type { PeopleContext } from '../people-context.ts';
import { deliverMail } from '../services/mail/deliver-mail.ts';

const FIRST_RETRY_SECONDS = 20;
const LONGEST_RETRY_SECONDS = 3600;

/** Seconds until the next try: soon for codes that somebody waits for, hourly for as long as a provider may be away. */
export const mailRetryDelay = (attempts: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LONGEST_RETRY_SECONDS);

/** Consumer of the queue "mails". */
export async function consumeMails(context: PeopleContext, batch: MessageBatch, now: number): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        await deliverMail(context, mailMessage.parse(message.body), now);
        message.ack();
      } catch (error) {
        log('error', 'mail_failed', { message_id: message.id, error: errorText(error) });
        message.retry({ delaySeconds: mailRetryDelay(message.attempts) });
      }
    }),
  );
}
