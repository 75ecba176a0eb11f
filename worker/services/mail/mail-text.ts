import { planLimits } from '../../../schema/api/plans.ts';
import type { Mail } from '../../lib/mail/mailer.ts';
import type { MailContent } from './mail-content.ts';

const unexpected = 'If you did not ask for this, ignore this mail: without it, nothing happens.';
const once = 'It is valid for 10 minutes and works once.';

/** Subject and text of a mail. `host` is the service as people know it. */
export function mailText(content: MailContent, host: string): Pick<Mail, 'subject' | 'text'> {
  switch (content.kind) {
    case 'sign_in':
      return {
        subject: `${content.code} is your code for ${host}`,
        text: paragraphs(
          `Your code to sign in to ${host}: ${content.code}`,
          `Or open this link and confirm: ${content.link}`,
          'Both are valid for 10 minutes; the first one you use ends the other. Enter the code only on the page that asked for it.',
          unexpected,
        ),
      };
    case 'prove':
      return {
        subject: `${content.code} confirms that it is you`,
        text: paragraphs(`Your code for ${host}: ${content.code}`, once, unexpected),
      };
    case 'old_address':
      return {
        subject: `${content.code} confirms the change of your address`,
        text: paragraphs(
          `Somebody who is signed in as you wants to use another address for ${host}. Code for this address: ${content.code}`,
          once,
          'If that was not you, sign in and end all sessions.',
        ),
      };
    case 'new_address':
      return {
        subject: `${content.code} confirms your new address`,
        text: paragraphs(
          `You want to use this address for ${host}. Code for this address: ${content.code}`,
          once,
          unexpected,
        ),
      };
    case 'address_changed':
      return {
        subject: `Your address for ${host} was changed`,
        text: paragraphs(
          `You now sign in to ${host} with another address. This one no longer works. All other sessions were ended.`,
        ),
      };
    case 'payment_failed':
      return {
        subject: `A payment for ${oneLine(content.account)} failed`,
        text: paragraphs(
          `The last payment for the account ${oneLine(content.account)} on ${host} failed.`,
          `Nothing has changed yet. Change the card or pay the invoice by ${minuteOf(content.payBy)}: ${content.link}`,
          'After that, keys can still read, but no longer create tasks.',
        ),
      };
    case 'subscription_inactive':
      return {
        subject: `The subscription of ${oneLine(content.account)} is inactive`,
        text: paragraphs(
          `The subscription of the account ${oneLine(content.account)} on ${host} is no longer active.`,
          'Keys can still read, but no longer create tasks. Tasks that were accepted before end as they would have.',
          `To go on, subscribe again or pay the open invoice: ${content.link}`,
        ),
      };
    case 'account_deleted':
      return {
        subject: `The account ${oneLine(content.account)} is being deleted`,
        text: paragraphs(
          `${content.by} has deleted the account ${oneLine(content.account)} on ${host}.`,
          'Its keys no longer work. Its tasks, files, webhooks, members and usage are deleted, and nothing of it can be restored.',
        ),
      };
    case 'limit':
      return limitText(content, host);
    case 'invitation':
      return {
        subject: `Invitation to ${oneLine(content.account)}`,
        text: paragraphs(
          `${content.invitedBy} invites you to the account ${oneLine(content.account)} on ${host}.`,
          `Sign in with this address to accept: ${content.link}`,
          'The invitation is valid for 7 days.',
        ),
      };
  }
}

function limitText(
  { account, limit, percent, most, link }: Extract<MailContent, { kind: 'limit' }>,
  host: string,
): Pick<Mail, 'subject' | 'text'> {
  const name = planLimits[limit].doc.toLowerCase();
  const reached =
    percent >= 100
      ? `has reached the limit of its plan on ${host}: ${most} ${name}. Further requests were or will be refused with 429 until it uses less.`
      : `uses ${percent} % or more of what its plan on ${host} allows: ${most} ${name}. At 100 %, requests are refused with 429.`;
  return {
    subject: `${oneLine(account)}: ${percent} % of ${name}`,
    text: paragraphs(
      `The account ${oneLine(account)} ${reached}`,
      `Its usage: ${link}`,
      'Owners get this mail at most once a month for each limit and share.',
    ),
  };
}

const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`;
const minuteOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const oneLine = (text: string) => text.replace(/\p{Cc}/gu, ' ');
