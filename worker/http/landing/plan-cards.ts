import { html } from 'hono/html';
import { type LimitName, planLimits, planNames, planOf, prices } from '../../../schema/api/plans.ts';
import type { Config } from '../../env.ts';
import { moneyText } from '../../lib/text/money-text.ts';
import { limitText } from '../docs/plan-limits.ts';
import type { Html } from '../docs/shell.ts';

/** The limits that decide first which plan fits. */
const first: readonly LimitName[] = [
  'running',
  'source_bytes',
  'source_seconds',
  'output_side_px',
  'retention_seconds',
];

/** The plans in short. */
export function planCards({ BILLING }: Config): Html {
  return html`<ul class="plan-cards">
${planNames.map((name) => {
  const plan = planOf(name);
  return html`<li><h3>${plan.title}</h3>
${BILLING === 'none' ? '' : html`<p class="figure"><b>${moneyText(prices.monthly[name], prices.currency)}</b> a month</p>`}
<dl>
${first.map((limit) => html`<div><dt>${planLimits[limit].doc}</dt><dd>${limitText(limit, plan)}</dd></div>`)}
</dl></li>
`;
})}</ul>`;
}
