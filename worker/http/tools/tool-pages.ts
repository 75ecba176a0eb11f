import { html } from 'hono/html';
import { featuredOf } from '../../../schema/api/examples.ts';
import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import type { Context } from '../../context.ts';
import { examplesHere, picturesHere } from '../../services/docs/examples.ts';
import { readsItself } from '../../services/docs/sample-source.ts';
import { notYet } from '../docs/not-yet.ts';
import { plansWith } from '../docs/operation-facts.ts';
import { operationPath } from '../docs/paths.ts';
import { type Html, page, prose } from '../docs/shell.ts';
import { stage, stageHead } from '../docs/stage.ts';
import { requestTabs } from '../docs/tabs.ts';
import { operationList, toolPath } from './tool-list.ts';

/** `/tools/<operation>`: what it does, a result with its request, and the way to try it. */
export async function operationToolPage(name: OperationName, context: Context): Promise<string> {
  const { PUBLIC_URL } = context.config;
  const { search, description, path } = operations[name];
  const main = html`<h1>${search.title}</h1>
<p class="lead">${search.lead}</p>
<p class="actions"><a class="button" href="/app/playground/${name}">Try it in the playground</a> <a class="button second" href="${operationPath(name)}">All fields</a></p>
${await result(name, context)}
<h2 id="how"><a href="#how">How it works</a></h2>
<p>${prose(description)}</p>
<p>Send the request to <code>POST ${path}</code>, or let an agent call the MCP tool <code>${operations[name].tool.name}</code>. The response is a task. Poll it, or have a
webhook called, and download the result. Included in ${listed(plansWith(name))}: <a href="/pricing">plans and limits</a>.</p>
${related(name)}`;
  return page({
    ...{ title: `${search.title} API · Spool`, path: toolPath(name), main, head: stageHead },
    about: { publicUrl: PUBLIC_URL, description: search.lead },
  });
}

async function result(name: OperationName, context: Context): Promise<Html> {
  const { PUBLIC_URL } = context.config;
  const [here, pictures] = await Promise.all([examplesHere(context), picturesHere(context)]);
  const featured = featuredOf(name);
  if (featured && here.includes(featured))
    return stage(featured, { publicUrl: PUBLIC_URL, pictures, runs: readsItself(context) });
  const [first] = operations[name].examples;
  return html`${featured && here.length === 0 ? notYet : ''}
<div class="alone">${requestTabs('way', name, first?.input, PUBLIC_URL)}</div>`;
}

/** Other operations of the same group. */
function related(name: OperationName): Html {
  const { group } = operations[name];
  const names = operationNames.filter((other) => other !== name && operations[other].group === group);
  if (names.length === 0) return html`<p><a href="/tools">All tools</a></p>`;
  return html`<h2 id="related"><a href="#related">Related</a></h2>
${operationList(names)}
<p><a href="/tools">All tools</a></p>`;
}

const listed = (titles: readonly string[]) => new Intl.ListFormat('en').format(titles);
