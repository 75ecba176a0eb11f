import { type Mailer, MailRefused } from './mailer.ts';

const TIMEOUT_MS = 15_000;

/** Sends mail by POST of `{from, to, subject, text}` with a bearer token, as https://resend.com/docs/api-reference accepts it. */
export function httpMailer(url: string, token: string, from: string): Mailer {
  return {
    async send({ id, to, subject, text }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'idempotency-key': id,
        },
        body: JSON.stringify({ from, to, subject, text }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return;
      const message = `The mail provider answered ${response.status}`;
      throw response.status === 400 || response.status === 422
        ? new MailRefused(message)
        : new Error(message);
    },
  };
}
