import { html } from 'hono/html';
import { type ErrorCode, errorEntry } from '../../../schema/api/errors.ts';
import { type PlanName, planNames, planOf } from '../../../schema/api/plans.ts';
import { readFormats, writtenFormats } from '../../../schema/media/formats.ts';
import type { FieldRow } from './field-rows.ts';
import { limitRows } from './plan-limits.ts';
import { type Html, prose } from './shell.ts';

/** Where a named schema that a type mentions is described. */
const schemaAnchors: Record<string, string> = {
  Task: '#task',
  TaskOutput: '#task-output',
  TaskPlan: '#task-plan',
  TaskError: '#task-error',
  ErrorCode: '/docs/errors',
};

export function fieldTable(rows: readonly FieldRow[]): Html {
  return html`<div class="scroll"><table class="fields">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>
<td><code>${row.name}</code>${row.required ? html`<span class="required">required</span>` : ''}</td>
<td class="type">${typeCell(row.type)}${row.fallback === null ? '' : html`<span class="fallback">default <code>${row.fallback}</code></span>`}</td>
<td>${prose(row.description)}</td>
</tr>
`,
)}
</tbody>
</table></div>`;
}

function typeCell(type: string): Html[] {
  return type.split(/\b(Task|TaskOutput|TaskPlan|TaskError|ErrorCode)\b/).map((part) => {
    const anchor = schemaAnchors[part];
    return anchor ? html`<a href="${anchor}">${part}</a>` : html`${part}`;
  });
}

/** Error codes with their meaning, each linked to the errors page. */
export function errorTable(codes: readonly ErrorCode[]): Html {
  return html`<div class="scroll"><table class="errors">
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${codes.map((code) => {
  const { status, title } = errorEntry(code);
  return html`<tr><td>${status ?? 'task'}</td><td>${errorLink(code)}</td><td>${title}.</td></tr>
`;
})}
</tbody>
</table></div>`;
}

/** Input and output formats. */
export function formatTables(): Html {
  const codecs = (names: readonly string[]) => names.join(', ') || '–';
  return html`<h3>Read</h3>
<div class="scroll"><table class="formats">
<thead><tr><th scope="col">Container</th><th scope="col">Files</th><th scope="col">Pictures</th><th scope="col">Sound</th></tr></thead>
<tbody>
${readFormats.map(
  ({ name, title, extensions, video, audio }) =>
    html`<tr><td>${title} (<code>${name}</code>)</td><td>${extensions.join(', ')}</td><td>${codecs(video)}</td><td>${codecs(audio)}</td></tr>
`,
)}
</tbody>
</table></div>
<h3>Written</h3>
<div class="scroll"><table class="formats">
<thead><tr><th scope="col">Format</th><th scope="col">Pictures</th><th scope="col">Sound</th></tr></thead>
<tbody>
${writtenFormats.map(
  ({ name, video, audio }) =>
    html`<tr><td><code>${name}</code></td><td>${codecs(video)}</td><td>${codecs(audio)}</td></tr>
`,
)}
</tbody>
</table></div>`;
}

export function errorLink(code: ErrorCode): Html {
  return html`<a href="/docs/errors#${code}"><code>${code}</code></a>`;
}

export function planTable(): Html {
  const cell = (text: (name: PlanName) => string) =>
    planNames.map((name) => html`<td data-plan="${planOf(name).title}">${text(name)}</td>`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Plans"><table class="plans">
<thead><tr><td></td>${planNames.map((name) => html`<th scope="col">${planOf(name).title}</th>`)}</tr></thead>
<tbody>
${limitRows.map(
  ({ title, print }) => html`<tr><th scope="row">${title}</th>${cell((name) => print(planOf(name)))}</tr>
`,
)}
</tbody>
</table></div>`;
}
