import type { MailMessage } from '../../../schema/api/mail.ts';
import type { sealer } from '../../../schema/api/seal.ts';
import { newId } from '../../../schema/task/ids.ts';
import type { Mailer } from '../../lib/mail/mailer.ts';
import type { MailContent } from './mail-content.ts';

interface MailQueue {
  mailer: Mailer | null;
  sealer: ReturnType<typeof sealer>;
  queueMail(message: MailMessage): Promise<void>;
}

/** Queues a mail. Does nothing if the service sends no mail. */
export async function queueMail(context: MailQueue, content: MailContent, expiresAt: number): Promise<void> {
  if (!context.mailer) return;
  const id = newId('mail');
  const sealed = await context.sealer.seal(JSON.stringify(content), id);
  await context.queueMail({ v: 1, id, sealed, expires_at: expiresAt });
}
