import { drizzle } from 'drizzle-orm/d1';
import type { MailMessage } from '../schema/api/mail.ts';
import type { Env } from './bindings.ts';
import type { Context } from './context.ts';
import type { Config } from './env.ts';
import type { Billing } from './lib/billing.ts';
import { bindingMailer } from './lib/mail/binding-mailer.ts';
import { httpMailer } from './lib/mail/http-mailer.ts';
import type { Mailer } from './lib/mail/mailer.ts';
import { markOutages } from './lib/outage.ts';
import { stripeBilling } from './lib/stripe-billing.ts';
import { withoutParameters } from './lib/without-parameters.ts';
import { accountKeysRepo } from './repos/people/account-keys.ts';
import { auditRepo } from './repos/people/audit.ts';
import { billingRepo } from './repos/people/billing.ts';
import { challengesRepo } from './repos/people/challenges.ts';
import { deletionsRepo } from './repos/people/deletions.ts';
import { dueMailsRepo } from './repos/people/due-mails.ts';
import { membersRepo } from './repos/people/members.ts';
import { outboxRepo } from './repos/people/outbox.ts';
import { passkeysRepo } from './repos/people/passkeys.ts';
import { peopleRepo } from './repos/people/people.ts';
import { sessionsRepo } from './repos/people/sessions.ts';
import { trialsRepo } from './repos/people/trials.ts';

/**
 * What the services of people work with. Loaded by `await import()` where somebody uses the dashboard or a mail is sent: requests
 * with a key do not pay for it.
 */
export function makePeopleContext(env: Env, context: Context) {
  const { config, sealer, hashKey, limitNotices, accounts, account } = context;
  const db = drizzle(markOutages(env.DB));
  const outbox = markOutages(outboxRepo(env.FILES));
  const mails = markOutages(env.MAILS);
  return {
    config,
    sealer,
    hashKey,
    limitNotices,
    accounts,
    account,
    people: withoutParameters(peopleRepo(db)),
    members: withoutParameters(membersRepo(db)),
    sessions: withoutParameters(sessionsRepo(db)),
    challenges: withoutParameters(challengesRepo(db)),
    passkeys: withoutParameters(passkeysRepo(db)),
    keys: withoutParameters(accountKeysRepo(db)),
    deletions: withoutParameters(deletionsRepo(db)),
    audit: withoutParameters(auditRepo(db)),
    customers: withoutParameters(billingRepo(db)),
    trials: withoutParameters(trialsRepo(db)),
    dueMails: withoutParameters(dueMailsRepo(db)),
    outbox,
    mailer: mailerOf(env, config, outbox),
    billing: billingOf(config),
    /** The stored form of a secret: HMAC-SHA-256 with the pepper, in hex. A secret is of use for one purpose only. */
    hash: (purpose: string, secret: string): Promise<string> => hashKey(`${purpose}:${secret}`),
    async queueMail(message: MailMessage): Promise<void> {
      await mails.send(message);
    },
  };
}

export type PeopleContext = ReturnType<typeof makePeopleContext>;

/** Null if accounts do not pay: then the operator sets their plans. */
function billingOf(config: Config): Billing | null {
  switch (config.BILLING) {
    case 'none':
      return null;
    case 'stripe':
      return stripeBilling(config);
  }
}

/** Null if the service sends no mail. */
function mailerOf(env: Env, config: Config, outbox: ReturnType<typeof outboxRepo>): Mailer | null {
  switch (config.MAIL) {
    case 'none':
      return null;
    case 'http':
      return httpMailer(config.MAIL_URL, config.MAIL_TOKEN, config.MAIL_FROM);
    case 'binding':
      if (!env.MAIL_SENDER)
        throw new Error('MAIL=binding: wrangler.toml has no send_email binding MAIL_SENDER');
      return bindingMailer(env.MAIL_SENDER, config.MAIL_FROM);
    case 'outbox':
      return {
        send: ({ id, to, subject, text }) => outbox.put(id, { to, subject, text, sentAt: Date.now() }),
      };
  }
}
