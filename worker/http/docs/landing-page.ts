import { html } from 'hono/html';
import packageJson from '../../../package.json' with { type: 'json' };
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { anchorOf } from './paths.ts';
import { mcpConfig, taskSteps } from './recipes.ts';
import { codeBlock, type Html, page } from './shell.ts';

const picture = {
  src: '/static/how-it-works.svg',
  alt: 'A request becomes a task in the Worker and runs in a container. For a cut, only the frames at its edges are rendered.',
};

/** `/` for people. */
export function landingPage(publicUrl: string): Promise<string> {
  const [first] = operationNames;
  const [start, ...next] = taskSteps(publicUrl, first).map(({ title, text }) => codeBlock(title, text));
  const main = html`<h1>Spool</h1>
<p class="lead">${packageJson.description}</p>
<p>For developers whose product edits media, and for agents: every operation is a JSON request and an MCP tool. Packets are copied
where the picture does not change, so most edits take seconds and keep the quality of the source. Every result is verified before its task
completes.</p>
<p><a class="button" href="/docs">Read the reference</a></p>
${start}
<img class="picture" src="${picture.src}" alt="${picture.alt}" width="960" height="500">
<h2>Operations</h2>
${operationTable()}
<h2>Next steps</h2>
${next}
<h2>For agents</h2>
${codeBlock('MCP client configuration', mcpConfig(publicUrl))}`;
  return page({ title: 'Spool', path: '/', main });
}

function operationTable(): Html {
  return html`<div class="scroll"><table class="fields">
<thead><tr><th scope="col">Operation</th><th scope="col">Result</th></tr></thead>
<tbody>
${operationNames.map((name) => {
  const { path, summary } = operations[name];
  return html`<tr><td><a href="/docs#${anchorOf(name)}"><code>POST ${path}</code></a></td><td>${summary}</td></tr>
`;
})}
</tbody>
</table></div>`;
}
