import { html } from 'hono/html';
import { page, sites } from './shell.ts';

/** What a browser gets for an unknown path. */
export function notFoundPage(path: string): Promise<string> {
  const main = html`<h1>There is no such page</h1>
<p class="lead">Nothing is at <code>${path}</code>.</p>
<div id="search-here" data-words="${path.replace(/[^a-zA-Z0-9]+/g, ' ').trim()}"></div>
<p>You may be looking for one of these:</p>
<ul>
${sites.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}
</ul>`;
  return page({ title: 'Not found · Spool', path, main });
}
