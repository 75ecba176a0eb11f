import { html } from 'hono/html';
import {
  type PartStatus,
  PROBE_MINUTES,
  STATUS_DAYS,
  type StatusReport,
  statusParts,
} from '../../../schema/api/status.ts';
import { feedLink } from '../changelog/atom.ts';
import { type Html, page } from '../docs/shell.ts';
import { dayBars, overheadChart } from './charts.ts';
import { incidentList } from './incidents.ts';
import { stateTexts, timeTag } from './words.ts';

/** `/status`: what works now, and how it was. */
export function statusPage(report: StatusReport, publicUrl: string): Promise<string> {
  const { state, parts, incidents, checked_at, version } = report;
  const open = incidents?.filter(({ closed_at }) => closed_at === null) ?? [];
  const closed = incidents?.filter(({ closed_at }) => closed_at !== null) ?? null;
  const main = html`<h1>Status</h1>
<p class="now ${state}" role="status">${summaryOf(report)}</p>
<p class="lead">Version ${version}. As of ${timeTag(checked_at)}.</p>
${open.length > 0 ? html`<h2 id="open"><a href="#open">Open incidents</a></h2>${incidentList(open)}` : ''}
<h2 id="parts"><a href="#parts">Parts</a></h2>
${history(parts)}
<ul class="parts">
${parts.map((part) => partRow(part, report))}
</ul>
<h2 id="overhead"><a href="#overhead">Overhead of a task</a></h2>
${overheadSection(report)}
<h2 id="incidents"><a href="#incidents">Past incidents</a></h2>
${closed ? incidentList(closed) : html`<p>They cannot be read now, because the database does not answer.</p>`}
<p><a href="/status.atom">Feed of incidents</a> · <a href="/status.json">This page as JSON</a></p>
<h2 id="how"><a href="#how">How this is measured</a></h2>
${method(report)}`;
  return page({
    ...{ title: 'Status · Spool', path: '/status', main },
    about: { publicUrl, description: 'Which parts of this service work, the last 90 days, and incidents.' },
    head: html`<link rel="stylesheet" href="/static/status.css">
${feedLink('/status.atom', 'Incidents of Spool')}`,
  });
}

const titlesOf = (parts: readonly PartStatus[]) => parts.map(({ title }) => title).join(', ');

function summaryOf({ state, parts, task_minutes }: StatusReport): string {
  const down = parts.filter((part) => part.state === 'down');
  const unknown = parts.filter(
    (part) => part.state === 'unknown' && (part.name !== 'task' || task_minutes > 0),
  );
  if (state === 'down') return `Does not work now: ${titlesOf(down)}`;
  if (state === 'unknown') return `Not known now: ${titlesOf(unknown)}. All other parts work.`;
  return 'All parts work';
}

function history(parts: readonly PartStatus[]): Html {
  if (parts.some(({ days }) => days === null))
    return html`<p class="missing">The history is not available, because the database does not answer.</p>`;
  if (parts.every(({ days }) => days?.every(({ probes }) => probes === 0)))
    return html`<p class="missing">No probe has run yet. They run every ${PROBE_MINUTES} minutes.</p>`;
  return html`<p>A bar is a day; the last one is today. Green: no probe failed. Yellow: fewer than 5 % failed. Red: more failed. Gray: there were
no probes.</p>`;
}

function partRow(
  { name, title, state, checked_at, days, uptime_percent }: PartStatus,
  report: StatusReport,
): Html {
  const off = name === 'task' && report.task_minutes === 0;
  return html`<li id="${name}">
<div class="head"><h3>${title}</h3>
<span class="state ${state}">${off ? 'Not probed' : stateTexts[state]}</span></div>
${days && uptime_percent !== null ? dayBars(title, days) : ''}
<p class="about"><span>${uptimeText(days, uptime_percent)}</span>
<span>${checked_at === null ? 'never checked' : html`checked ${timeTag(checked_at)}`}</span></p>
</li>
`;
}

function uptimeText(days: PartStatus['days'], percent: number | null): string {
  if (days === null) return 'uptime not available';
  if (percent === null) return 'no probes yet';
  const first = days.findIndex(({ probes }) => probes > 0);
  const count = days.length - first;
  return `${percent.toFixed(2)} % of probes succeeded in ${count === 1 ? 'one day' : `${count} days`}`;
}

function overheadSection({ overhead, parts, task_minutes }: StatusReport): Html {
  const what = html`<p>The time from the creation of a probe task to its completion, without the time that a machine worked on it:
accepting, queueing, starting and recording.</p>`;
  if (overhead === null)
    return html`${what}<p class="missing">It is not available, because the database does not answer.</p>`;
  const [first] = parts;
  if (overhead.length > 0)
    return html`${what}${overheadChart(overhead, first?.days?.map(({ day }) => day) ?? [])}`;
  return html`${what}<p class="missing">${
    task_minutes === 0
      ? html`This service runs no probe tasks (<code>STATUS_TASK_MINUTES</code> is 0).`
      : 'No probe task has completed yet.'
  }</p>`;
}

function method({ task_minutes }: StatusReport): Html {
  return html`<p>Database, object storage and transcoder are asked when this page is opened, at most every few seconds. With containers,
the state of the transcoder is its last report, because asking would start one. In addition, every ${PROBE_MINUTES} minutes the
service:</p>
<ul>
${Object.values(statusParts).map(({ title, probe }) => html`<li><strong>${title}</strong>: ${probe}</li>`)}
</ul>
<p>${
    task_minutes === 0
      ? 'Probe tasks are switched off on this service.'
      : task_minutes > PROBE_MINUTES
        ? `A probe task runs only every ${task_minutes} minutes.`
        : ''
  } A probe task is an ordinary <code>POST /cut</code> in an account of the service itself. It counts in no other account’s figures. Its
source is in the storage of the service, so no other host is involved. It fails if it does not complete within a minute, for
whatever reason, such as a lack of free machines.</p>
<p>Uptime is the share of probes that succeeded, rounded down. Probes that could not run count neither way. Probes that the database
could not take are recorded once it answers. Days are in UTC; ${STATUS_DAYS} of them are kept.</p>`;
}
