import { planOf } from '../../../schema/api/plans.ts';
import { DAY_MS } from '../../../schema/time.ts';
import { errorText, log } from '../../lib/log.ts';
import type { PeopleContext } from '../../people-context.ts';
import { type DueMail, writingMails } from '../../repos/people/due-mails.ts';
import { dueMails, queueDue, toOwners } from '../mail/due-mails.ts';

/** Notices per sweep. */
const MOST = 200;
const MAIL_MS = DAY_MS;

type Open = Awaited<ReturnType<PeopleContext['limitNotices']['open']>>[number];

/** Mails the owners of accounts that came close to a limit of their plan; one mail where 80 and 100 % were reached at once. */
export async function mailLimitNotices(context: PeopleContext, now: number): Promise<void> {
  const open = await context.limitNotices.open(MOST);
  const nameOf = ({ notice: { accountId, limit, month } }: Open) => `${accountId} ${limit} ${month}`;
  const highest = new Map<string, number>();
  for (const one of open) {
    highest.set(nameOf(one), Math.max(highest.get(nameOf(one)) ?? 0, one.notice.percent));
  }
  for (const one of open) {
    const { notice } = one;
    const isHighest = notice.percent === highest.get(nameOf(one));
    try {
      const mails = isHighest ? await mailsOf(context, one, now) : [];
      await context.limitNotices.claim(notice, now, writingMails(mails));
      await queueDue(context, mails);
    } catch (error) {
      // A failure of one account must not affect the others.
      log('warn', 'limit_not_mailed', { account_id: notice.accountId, error: errorText(error) });
    }
  }
}

async function mailsOf(context: PeopleContext, { notice, account }: Open, now: number): Promise<DueMail[]> {
  const { accountId, limit, percent } = notice;
  const link = `${context.config.PUBLIC_URL}/app/${accountId}/usage`;
  const news = { kind: 'limit', limit, percent, most: planOf(account.plan)[limit], link } as const;
  const contents = toOwners(await context.members.owners(accountId), news);
  return dueMails(context, contents, { now, expiresAt: now + MAIL_MS });
}
