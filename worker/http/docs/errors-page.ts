import { html } from 'hono/html';
import { type ErrorCode, errorCodes, errorEntry } from '../../../schema/api/errors.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { taskErrorsOf } from './component-schemas.ts';
import { anchorOf } from './operation-section.ts';
import { type Html, page } from './shell.ts';

const faults = {
  caller: 'the request or its account',
  source: 'the media at the URL',
  service: 'this service',
} as const;

/** `/docs/errors`: every code with its own anchor, which the `type` of a problem links to. */
export function errorsPage(publicUrl: string): Promise<string> {
  const inAnswers = errorCodes.filter((code) => errorEntry(code).status !== null);
  const inTasks = errorCodes.filter((code) => errorEntry(code).status === null);
  const nav = [
    { title: 'Error responses', links: inAnswers.map((code) => ({ href: `#${code}`, text: code })) },
    { title: 'Errors of failed tasks', links: inTasks.map((code) => ({ href: `#${code}`, text: code })) },
  ];
  const main = html`<h1>Errors</h1>
<p class="lead">All error codes: those of error responses (RFC 9457 <code>application/problem+json</code>) and those in <code>error</code> of a failed task.</p>
<p>If an error is retryable, send the same request again, after the seconds in <code>Retry-After</code> if the header is present. Otherwise change the request first.</p>
<h2 id="answers"><a href="#answers">Error responses</a></h2>
${inAnswers.map(entry)}
<h2 id="tasks"><a href="#tasks">Errors of failed tasks</a></h2>
${inTasks.map(entry)}`;
  const about = {
    publicUrl,
    description: 'Every error code of Spool: what it means, whose fault it is, and what to do.',
  };
  return page({ title: 'Errors · Spool', path: '/docs/errors', nav, about, main });
}

function entry(code: ErrorCode): Html {
  const { status, fault, retryable, title, hint } = errorEntry(code);
  const enders = operationNames.filter((name) => taskErrorsOf(name).some((error) => error.code === code));
  return html`<section class="error" id="${code}">
<h3><a href="#${code}"><code>${code}</code></a></h3>
<p class="lead">${title}.</p>
<p>${hint}</p>
<dl>
<div><dt>Status</dt><dd>${status ?? 'none (error of a task)'}</dd></div>
<div><dt>Cause</dt><dd>${faults[fault]}</dd></div>
<div><dt>Retryable</dt><dd>${retryable ? 'yes' : 'no'}</dd></div>
${enders.length === 0 ? '' : html`<div><dt>Operations</dt><dd>${endersText(enders)}</dd></div>`}
</dl>
</section>
`;
}

function endersText(names: (typeof operationNames)[number][]): Html | string {
  if (names.length === operationNames.length) return 'all';
  return html`${names.map((name, index) => html`${index === 0 ? '' : ', '}<a href="/docs#${anchorOf(name)}">${operations[name].title}</a>`)}`;
}
