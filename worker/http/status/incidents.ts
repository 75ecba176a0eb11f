import { html } from 'hono/html';
import { type Incident, statusParts } from '../../../schema/api/status.ts';
import { atomFeed } from '../changelog/atom.ts';
import type { Html } from '../docs/shell.ts';
import { timeTag } from './words.ts';

export function incidentList(incidents: readonly Incident[]): Html {
  if (incidents.length === 0) return html`<p>None in the last 90 days.</p>`;
  return html`${incidents.map(
    ({ id, title, part, opened_at, closed_at, updates }) => html`<article class="incident" id="${id}">
<h3><a href="#${id}">${title}</a></h3>
<p class="about"><span class="state ${closed_at === null ? 'down' : 'up'}">${closed_at === null ? 'Open' : 'Closed'}</span>
${part === null ? 'Whole service' : statusParts[part].title} · from ${timeTag(opened_at)}${closed_at === null ? '' : html` to ${timeTag(closed_at)}`}</p>
<ol>
${updates.toReversed().map(({ at, text }) => html`<li>${timeTag(at)} <span>${text}</span></li>`)}
</ol>
</article>
`,
  )}`;
}

/** An entry an incident; each of its updates makes it new. */
export function incidentFeed(origin: string, incidents: readonly Incident[]): Promise<string> {
  return atomFeed({
    ...{ title: 'Incidents of Spool', url: `${origin}/status.atom`, page: `${origin}/status` },
    entries: incidents.map(({ id, title, opened_at, closed_at, updates }) => ({
      id: `${origin}/status#${id}`,
      title: closed_at === null ? title : `${title} (closed)`,
      url: `${origin}/status#${id}`,
      published: opened_at,
      updated: updates.at(-1)?.at ?? opened_at,
      content: String(
        html`${updates.toReversed().map(({ at, text }) => html`<p>${timeTag(at)}: ${text}</p>`)}`,
      ),
    })),
  });
}
