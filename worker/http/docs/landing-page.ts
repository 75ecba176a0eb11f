import { html } from 'hono/html';
import packageJson from '../../../package.json' with { type: 'json' };
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { anchorOf } from './operation-section.ts';
import { wayOfATask } from './recipes.ts';
import { codeBlock, page } from './shell.ts';

/** `/` for people. */
export function landingPage(publicUrl: string): Promise<string> {
  const [first] = operationNames;
  const main = html`<h1>Spool</h1>
<p class="lead">${packageJson.description}</p>
<p><a class="button" href="/docs">Read the reference</a></p>
<h2>What it does</h2>
<ul class="cards">
${operationNames.map((name) => {
  const { title, summary } = operations[name];
  return html`<li><a href="/docs#${anchorOf(name)}"><b>${title}</b> <span>${summary}</span></a></li>
`;
})}
</ul>
<h2>How</h2>
${wayOfATask(publicUrl, first).map(({ title, text }) => codeBlock(title, text))}`;
  return page({ title: 'Spool', path: '/', main });
}
