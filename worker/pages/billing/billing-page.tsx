import { type PlanName, planNames, planOf, prices } from '../../../schema/api/plans.ts';
import type { Invoice } from '../../lib/billing.ts';
import { moneyText } from '../../lib/text/money-text.ts';
import { type BillingView, billingView, refreshAfterVisit } from '../../services/billing/billing-view.ts';
import { isFresh } from '../../services/sign-in/find-session.ts';
import { Form, Notice, ProveFirst, Time } from '../elements.tsx';
import type { MemberVisit } from '../visit.ts';

const pathOf = ({ membership }: MemberVisit) => `/app/${membership.account.id}/billing`;

export async function showBilling(visit: MemberVisit): Promise<Response> {
  const { context } = visit;
  const isOwner = visit.membership.role === 'owner';
  if (visit.url.searchParams.has('returned')) {
    if (isOwner) await refreshAfterVisit(context, visit.membership.account.id);
    return visit.redirect(pathOf(visit));
  }
  const fresh = isFresh(visit.signedIn.session, Date.now());
  const view = await billingView(context, visit.membership.account.id, isOwner && fresh);
  const mayChange = view !== null && isOwner && fresh;
  const body = (
    <>
      <h1>Billing</h1>
      <Standing visit={visit} view={view} />
      {view === null ? <Notice>The operator of this service sets the plans of accounts.</Notice> : null}
      {view !== null && !isOwner ? <Notice>Only owners of the account can change its plan.</Notice> : null}
      {view !== null && isOwner && !fresh ? (
        <ProveFirst
          next={pathOf(visit)}
          what="change the plan, the card or the subscription, and to see the invoices"
        />
      ) : null}
      {view === null ? null : <Plans visit={visit} view={view} mayChange={mayChange} />}
      {mayChange && view?.customer ? <Manage visit={visit} /> : null}
      {view && mayChange ? <Invoices invoices={view.invoices} /> : null}
    </>
  );
  return visit.page('Billing', body, { formTargets: context.billing?.pageOrigins ?? [] });
}

/** What the account has now, and until when. */
function Standing({ visit, view }: { visit: MemberVisit; view: BillingView | null }) {
  const { account } = visit.membership;
  const { status, endsAt, periodEndsAt, nextPlan } = view?.customer ?? {};
  const isPaid = status === 'active' || status === 'trialing';
  return (
    <p class="lead">
      {account.subscription === 'active'
        ? `Account ${account.name} has the plan ${planOf(account.plan).title}.`
        : `Account ${account.name} has no active subscription: keys can read, but not create tasks.`}
      {account.trialEndsAt === null ? null : (
        <>
          {' '}
          The free trial ends <Time ms={account.trialEndsAt} />.
        </>
      )}
      {endsAt && isPaid ? (
        <>
          {' '}
          It is canceled, and ends <Time ms={endsAt} />.
        </>
      ) : null}
      {!endsAt && periodEndsAt && isPaid ? (
        <>
          {' '}
          {nextPlan ? `It changes to ${planOf(nextPlan).title}` : 'It renews'} <Time ms={periodEndsAt} />.
        </>
      ) : null}
    </p>
  );
}

function Plans({ visit, view, mayChange }: { visit: MemberVisit; view: BillingView; mayChange: boolean }) {
  const has = view.offer === 'buy' ? null : view.customer?.plan;
  return (
    <section>
      <h2>Plans</h2>
      <ul class="rows">
        {planNames.map((name) => (
          <li>
            <span>
              <strong>{planOf(name).title}</strong> {moneyText(prices.monthly[name], prices.currency)} a month
            </span>
            {name === has ? <span>Your plan</span> : null}
            {name !== has && mayChange && view.offer !== 'manage' ? (
              <Choose visit={visit} plan={name} has={has ?? null} />
            ) : null}
          </li>
        ))}
      </ul>
      {mayChange && view.offer === 'manage' ? (
        <p>Before you can change the plan, pay or renew the subscription below.</p>
      ) : null}
      <p>
        <a href="/docs/limits">What the plans include</a>. A larger plan starts at once, a smaller one when
        the current month is over.
      </p>
    </section>
  );
}

function Choose({ visit, plan, has }: { visit: MemberVisit; plan: PlanName; has: PlanName | null }) {
  const verb = has === null ? 'Subscribe to' : 'Change to';
  return (
    <Form visit={visit} action={`${pathOf(visit)}/plan`} inline>
      <input type="hidden" name="plan" value={plan} />
      <button class={has === null ? undefined : 'second'} type="submit">
        {verb} {planOf(plan).title}
      </button>
    </Form>
  );
}

function Manage({ visit }: { visit: MemberVisit }) {
  return (
    <section>
      <h2>Card and cancellation</h2>
      <p>Stripe keeps the card and takes the payments. Its pages lead back here.</p>
      <Form visit={visit} action={`${pathOf(visit)}/manage`}>
        <button class="second" type="submit">
          Manage the subscription
        </button>
      </Form>
    </section>
  );
}

const invoiceTexts: Record<Invoice['status'], string> = {
  draft: 'not yet final',
  open: 'to be paid',
  paid: 'paid',
  uncollectible: 'not paid',
  void: 'void',
};

function Invoices({ invoices }: { invoices: Invoice[] | null }) {
  if (invoices === null)
    return <Notice kind="error">The invoices could not be fetched. Reload the page.</Notice>;
  if (invoices.length === 0) return null;
  return (
    <section>
      <h2>Invoices</h2>
      <ul class="rows">
        {invoices.map(({ number, createdAt, total, currency, status, url }) => (
          <li>
            <span>
              {url === null ? (number ?? 'Draft') : <a href={url}>{number ?? 'Invoice'}</a>},{' '}
              {moneyText(total, currency)}, {invoiceTexts[status]}
            </span>
            <Time ms={createdAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}
