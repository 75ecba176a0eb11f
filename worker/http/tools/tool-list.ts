import { html } from 'hono/html';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { anchorOf } from '../docs/paths.ts';
import type { Html } from '../docs/shell.ts';

/** The page about an operation, for people who look for what it does. */
export const toolPath = (name: OperationName) => `/tools/${anchorOf(name)}`;

/** Operations, each with a link to the page about it. */
export function operationList(names: readonly OperationName[]): Html {
  return html`<ul class="operations">
${names.map(
  (
    name,
  ) => html`<li><a href="${toolPath(name)}">${operations[name].search.title}</a> <span>${operations[name].summary}</span></li>
`,
)}</ul>`;
}
