import type { MailMessage } from '../../../schema/api/mail.ts';
import type { sealer } from '../../../schema/api/seal.ts';
import { errorText, log } from '../../lib/log.ts';
import { type Mailer, MailRefused } from '../../lib/mail/mailer.ts';
import type { MailContent } from './mail-content.ts';
import { mailText } from './mail-text.ts';

interface Delivery {
  config: { PUBLIC_URL: string };
  mailer: Mailer | null;
  sealer: ReturnType<typeof sealer>;
}

/** Sends a queued mail, unless its codes and links have expired. Throws if another try may help. */
export async function deliverMail(context: Delivery, message: MailMessage, now: number): Promise<void> {
  const { id, sealed, expires_at: expiresAt } = message;
  if (!context.mailer || expiresAt <= now) return log('warn', 'mail_dropped', { mail_id: id });
  const content = JSON.parse(await context.sealer.open(sealed, id)) as MailContent;
  const { host } = new URL(context.config.PUBLIC_URL);
  try {
    await context.mailer.send({ id, to: content.to, ...mailText(content, host) });
    log('info', 'mail_sent', { mail_id: id, kind: content.kind });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log('warn', 'mail_refused', { mail_id: id, kind: content.kind, error: errorText(error) });
  }
}
