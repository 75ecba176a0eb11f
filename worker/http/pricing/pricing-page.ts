import { html } from 'hono/html';
import { planOf } from '../../../schema/api/plans.ts';
import type { Config } from '../../env.ts';
import { errorLink } from '../docs/error-link.ts';
import { plural } from '../docs/plan-limits.ts';
import { type Html, page } from '../docs/shell.ts';
import { limitOutcomes, noticeText } from './at-a-limit.ts';
import { planComparison } from './plan-comparison.ts';

const description =
  'Plans of Spool side by side, with every limit and feature. One price per month; tasks, minutes and traffic are not billed.';

/** `/pricing`: what the plans of this service cost and bound. */
export function pricingPage(config: Config): Promise<string> {
  const sold = config.BILLING !== 'none';
  const main = html`<h1>Pricing</h1>
${
  sold
    ? html`<p class="lead">One price per month. Tasks, minutes and traffic are not billed.</p>`
    : html`<p class="lead">On this service, plans are assigned by the operator. Nothing can be bought here, and nothing is billed by use.</p>`
}
${config.SIGN_UP === 'trial' ? trial(config.TRIAL_DAYS) : ''}
<p><a class="button" href="/app">Open the dashboard</a></p>
<h2 id="plans"><a href="#plans">What the plans include</a></h2>
${planComparison(sold)}
<h2 id="at-a-limit"><a href="#at-a-limit">At a limit</a></h2>
<p>Nothing is billed at a limit.${config.MAIL === 'none' ? '' : ` ${noticeText()}`}</p>
${limitOutcomes()}
<h2 id="questions"><a href="#questions">Questions</a></h2>
${questions(config).map(
  ({ asked, answer }) => html`<h3>${asked}</h3>
<p>${answer}</p>
`,
)}`;
  return page({
    ...{ title: 'Pricing · Spool', path: '/pricing', main },
    about: { publicUrl: config.PUBLIC_URL, description },
  });
}

const trial = (days: number) =>
  html`<p>A new account starts with ${plural(days, 'day')} of ${planOf('basic').title}, free and without a card, once per email address.</p>`;

interface Question {
  asked: string;
  answer: string | Html;
}

function questions(config: Config): Question[] {
  return [
    {
      asked: 'What does a failed task cost?',
      answer: html`Nothing, like every task. It counts as one task creation. If a machine is lost, or the service has a fault that passes, the task is retried automatically.`,
    },
    ...(config.BILLING === 'none' ? [] : bought(config)),
    {
      asked: 'Can I run it myself?',
      answer:
        'Yes. The source is open under the Apache License 2.0, with every operation and without a license key.',
    },
  ];
}

function bought({ GRACE_DAYS, MAIL }: Config): Question[] {
  const until = MAIL === 'none' ? 'The dashboard says' : 'The dashboard and a mail to the owners say';
  return [
    {
      asked: 'What happens if a payment fails?',
      answer: html`${GRACE_DAYS === 0 ? '' : `Tasks continue for ${plural(GRACE_DAYS, 'day')} after the payment was due. ${until} until when. `}After that, new tasks are refused with ${errorLink('subscription_required')}. Tasks that were accepted before end as they would have, and results stay available for as long as the plan keeps them.`,
    },
    {
      asked: 'Can I change the plan?',
      answer:
        'At any time, in the dashboard. A larger plan applies at once, a smaller one from the next period on.',
    },
  ];
}
