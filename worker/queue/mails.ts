import { mailMessage } from '../../schema/api/mail.ts';
import { errorText, log } from '../lib/log.ts';
import type { PeopleContext } from '../people-context.ts';
import { deliverMail } from '../services/mail/deliver-mail.ts';

/** Consumer of the queue "mails". */
export async function consumeMails(context: PeopleContext, batch: MessageBatch, now: number): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        await deliverMail(context, mailMessage.parse(message.body), now);
        message.ack();
      } catch (error) {
        log('error', 'mail_failed', { message_id: message.id, error: errorText(error) });
        message.retry();
      }
    }),
  );
}
