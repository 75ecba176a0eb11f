import { html } from 'hono/html';
import {
  type Feature,
  features,
  type LimitScope,
  limitNames,
  type Plan,
  planLimits,
  planNames,
  planOf,
  prices,
} from '../../../schema/api/plans.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { moneyText } from '../../lib/text/money-text.ts';
import { encodable, limitText } from '../docs/plan-limits.ts';
import type { Html } from '../docs/shell.ts';
import { toolPath } from '../tools/tool-list.ts';

const scopes: Record<LimitScope, string> = {
  queue: 'Tasks at once',
  request: 'Requests',
  container: 'Sources and results',
  retention: 'Storage',
};

const included = html`<span class="yes" role="img" aria-label="included">✓</span>`;
const absent = html`<span role="img" aria-label="not included">–</span>`;

/** The plans side by side: price, every feature, every limit. @param priced Whether they are sold. */
export function planComparison(priced: boolean): Html {
  const featureNames = Object.keys(features) as Feature[];
  return html`<table class="plans">
<thead><tr><td></td>${planNames.map((name) => html`<th scope="col">${planOf(name).title}</th>`)}</tr></thead>
${
  priced
    ? group(
        'Price',
        row(
          'Per month',
          (_, name) => html`<strong>${moneyText(prices.monthly[name], prices.currency)}</strong>`,
        ),
      )
    : ''
}
${group(
  'Features',
  html`${featureNames.map((feature) => row(featureTitle(feature), (plan) => (plan.features.includes(feature) ? included : absent)))}`,
)}
${(Object.keys(scopes) as LimitScope[]).map((scope) =>
  group(
    scopes[scope],
    html`${limitNames
      .filter((name) => planLimits[name].scope === scope)
      .map((name) =>
        row(planLimits[name].doc, (plan) => limitText(name, plan)),
      )}${scope === 'container' ? row('Re-encoding of 1080p30 per task', encodable) : ''}`,
  ),
)}
</table>`;
}

/** What the operations of a feature are called; of one without operations, what it is. */
function featureTitle(feature: Feature): Html | string {
  const names = operationNames.filter((name) => operations[name].feature === feature);
  if (names.length === 0) return `${features[feature].charAt(0).toUpperCase()}${features[feature].slice(1)}`;
  return html`${names.map((name, index) => html`${index === 0 ? '' : ', '}<a href="${toolPath(name)}">${operations[name].title}</a>`)}`;
}

function group(title: string, rows: Html): Html {
  return html`<tbody>
<tr class="group"><th colspan="${planNames.length + 1}" scope="rowgroup">${title}</th></tr>
${rows}</tbody>
`;
}

function row(
  title: Html | string,
  cell: (plan: Plan, name: (typeof planNames)[number]) => Html | string,
): Html {
  return html`<tr><th scope="row">${title}</th>${planNames.map((name) => html`<td data-plan="${planOf(name).title}">${cell(planOf(name), name)}</td>`)}</tr>
`;
}
