import { html } from 'hono/html';
import { planNames, planOf, prices } from '../../../schema/api/plans.ts';
import type { Context } from '../../context.ts';
import { moneyText } from '../../lib/money-text.ts';
import { type Html, page } from './shell.ts';
import { errorLink, planTable } from './tables.ts';

/** `/pricing`: what the plans of this service cost and bound. */
export function pricingPage(config: Context['config']): Promise<string> {
  const main = html`<h1>Pricing</h1>
<p class="lead">A month has one price. Tasks, minutes and traffic are not billed.</p>
${config.BILLING === 'none' ? operated : priceTable()}
${config.SIGN_UP === 'trial' ? trial(config.TRIAL_DAYS) : ''}
<p><a class="button" href="/app">Open the dashboard</a></p>
<h2 id="plans"><a href="#plans">What the plans include</a></h2>
${planTable()}
<h2 id="at-a-limit"><a href="#at-a-limit">At a limit</a></h2>
<p>Nothing is billed for it and nothing is lost. Requests over a rate are answered ${errorLink('rate_limited')} with the seconds to wait.
Tasks beyond those that run wait in line; when the line is full, new ones are answered ${errorLink('queue_full')}. A source that is too
large or too long fails with ${errorLink('source_too_large')} or ${errorLink('source_too_long')} before it is processed. Owners get a mail at 80 and at
100 % of what a plan bounds.</p>
<h2 id="questions"><a href="#questions">Questions</a></h2>
${questions.map(
  ({ asked, answer }) => html`<h3>${asked}</h3>
<p>${answer}</p>
`,
)}`;
  return page({ title: 'Pricing · Spool', path: '/pricing', main });
}

const operated = html`<p>On this service, plans are assigned by the operator. Nothing can be bought here.</p>`;

const trial = (days: number) =>
  html`<p>A new account starts with ${days} days of ${planOf('basic').title}, free and without a card.</p>`;

function priceTable(): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Prices"><table class="plans">
<thead><tr><td></td>${planNames.map((name) => html`<th scope="col">${planOf(name).title}</th>`)}</tr></thead>
<tbody><tr><th scope="row">A month</th>${planNames.map(
    (name) => html`<td>${moneyText(prices.monthly[name], prices.currency)}</td>`,
  )}</tr></tbody>
</table></div>`;
}

const questions: { asked: string; answer: string | Html }[] = [
  {
    asked: 'What does a failed task cost?',
    answer: 'Nothing. A task that fails through a fault of the service is tried again by itself.',
  },
  {
    asked: 'What happens if a payment fails?',
    answer:
      'Tasks continue for some days, and the dashboard and a mail to the owners say until when. After that, new tasks are refused; results stay available for as long as the plan keeps them.',
  },
  {
    asked: 'Can I change the plan?',
    answer:
      'At any time, in the dashboard. A larger plan applies at once, a smaller one from the next period on.',
  },
  {
    asked: 'Can I run it myself?',
    answer: html`Yes: it is open source under the Apache License 2.0, with all features and without a license key.`,
  },
];
