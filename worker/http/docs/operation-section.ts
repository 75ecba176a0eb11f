import { html } from 'hono/html';
import { examples as mediaExamples } from '../../../schema/api/examples.ts';
import { planNames, planOf } from '../../../schema/api/plans.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { commonFields } from '../../../schema/operations/operation.ts';
import { curlPost } from '../../lib/request-snippets.ts';
import { dataName, inputName, type JsonSchema, taskErrorsOf } from './component-schemas.ts';
import { completedTask, EXAMPLE_ORIGIN } from './example-tasks.ts';
import { fieldRows, resultRows } from './field-rows.ts';
import { codeBlock, type Html, prose } from './shell.ts';
import { errorLink, fieldTable } from './tables.ts';

export const anchorOf = (name: OperationName) => name.replaceAll('_', '-');

/** The plans that include an operation, by title. */
export function plansWith(name: OperationName): string[] {
  const { feature } = operations[name];
  return planNames
    .map(planOf)
    .filter(({ features }) => features.includes(feature))
    .map(({ title }) => title);
}

/** The fields of an operation, without those that all operations share. */
export function ownRows(name: OperationName, schemas: Record<string, JsonSchema>) {
  return fieldRows(schemas[inputName(name)] ?? {}).filter((row) => !(row.name in commonFields));
}

const hasExamples = (name: OperationName) => mediaExamples.some(({ operation }) => operation === name);

/** The section of one operation: fields, result, errors, examples. */
export function operationSection(
  name: OperationName,
  schemas: Record<string, JsonSchema>,
  publicUrl: string,
): Html {
  const { title, path, summary, description, examples } = operations[name];
  const anchor = anchorOf(name);
  const data = schemas[dataName(name)] ?? {};
  const completed = JSON.stringify(completedTask(name), null, 2).replaceAll(EXAMPLE_ORIGIN, publicUrl);
  return html`<section class="operation" id="${anchor}">
<h3><a href="#${anchor}">${title}</a></h3>
<p class="route"><b>POST</b> <code>${path}</code> <span>${plansWith(name).join(', ')}</span></p>
<div class="pair">
<div class="words">
<p class="lead">${prose(summary)}</p>
<p>${prose(description)}</p>
${hasExamples(name) ? html`<p><a href="/docs/examples#${anchor}">See and hear examples</a>.</p>` : ''}
<h4>Request</h4>
${fieldTable(ownRows(name, schemas))}
<p>Also the <a href="#common-fields">fields of every operation</a>.</p>
<h4>Result, in <code>output.data</code></h4>
${fieldTable(resultRows(data))}
<h4>The task can fail with</h4>
<p class="codes">${taskErrorsOf(name).map(({ code }) => html`${errorLink(code)} `)}</p>
</div>
<div class="examples">
${examples.map((example) => codeBlock(example.title, curlPost(publicUrl, path, example.input)))}
${codeBlock('The task once it is completed', completed)}
</div>
</div>
</section>
`;
}
