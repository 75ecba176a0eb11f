import { type Mailer, MailRefused } from './mailer.ts';

/** Codes of https://developers.cloudflare.com/email-service/ for mails that no further try can deliver. */
const FINAL = new Set(['E_RECIPIENT_SUPPRESSED', 'E_RECIPIENT_NOT_ALLOWED', 'E_VALIDATION_ERROR']);

/** Sends mail through the `send_email` binding of Cloudflare. */
export function bindingMailer(binding: SendEmail, from: string): Mailer {
  return {
    async send({ to, subject, text }) {
      try {
        await binding.send({ from, to, subject, text });
      } catch (error) {
        const code = error instanceof Error ? String(Reflect.get(error, 'code')) : '';
        throw FINAL.has(code) ? new MailRefused(code, { cause: error }) : error;
      }
    },
  };
}
