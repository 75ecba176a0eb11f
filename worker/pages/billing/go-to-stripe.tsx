import { type PlanName, planNames } from '../../../schema/api/plans.ts';
import { errorText, log } from '../../lib/log.ts';
import { isOutage } from '../../lib/outage.ts';
import { managePage, planPage } from '../../services/billing/pay.ts';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';

const isPlan = (text: string): text is PlanName => planNames.some((name) => name === text);
const payerOf = ({ membership, signedIn }: MemberVisit) => ({
  account: membership.account,
  person: signedIn.person,
});

/** To the page of Stripe to buy a plan, or to confirm the change to another one. */
export async function choosePlan(visit: MemberVisit): Promise<Response> {
  const plan = visit.field('plan');
  if (!isPlan(plan)) throw new PageError(422, 'Nothing was changed', 'Choose one of the plans.');
  return leaveFor(visit, () => planPage(visit.context, payerOf(visit), plan));
}

/** To the page of Stripe for cards, invoices and cancellation. */
export async function manage(visit: MemberVisit): Promise<Response> {
  return leaveFor(visit, () => managePage(visit.context, payerOf(visit)));
}

async function leaveFor(visit: MemberVisit, find: () => Promise<string | null>): Promise<Response> {
  const url = await find().catch((error: unknown) => {
    log('error', 'billing_page_failed', {
      account_id: visit.membership.account.id,
      error: errorText(error),
    });
    if (isOutage(error))
      throw new PageError(503, 'The payment service did not answer', 'Nothing was charged. Try again later.');
    throw error;
  });
  if (url === null) {
    throw new PageError(
      409,
      'There is nothing to do',
      'The account has this plan already, or there is nothing to pay here. Reload the billing page.',
    );
  }
  if (visit.context.billing?.pageOrigins.includes(new URL(url).origin)) return visit.leave(url);
  return domainPage(visit, url);
}

/** Browsers refuse to let a form lead to an origin that its page did not name, such as a domain of the operator at Stripe. */
function domainPage(visit: MemberVisit, url: string): Response {
  return visit.page(
    'Payment',
    <>
      <h1>Payment</h1>
      <p class="lead">You continue at {new URL(url).host}, where payments are made.</p>
      <p>
        <a class="button" href={url}>
          Continue
        </a>
      </p>
    </>,
  );
}
