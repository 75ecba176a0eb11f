import { html } from 'hono/html';
import { operationNames } from '../../../schema/operations/index.ts';
import type { Context } from '../../context.ts';
import { examplesHere, picturesHere } from '../../services/docs/examples.ts';
import { readsItself } from '../../services/docs/sample-source.ts';
import { differenceList } from '../landing/differences.ts';
import { planCards } from '../landing/plan-cards.ts';
import { productData } from '../landing/product.ts';
import { readResults } from '../landing/results.ts';
import { showcase } from '../landing/showcase.ts';
import { operationList } from '../tools/tool-list.ts';
import { mcpConfig } from './recipes.ts';
import { codeBlock, page } from './shell.ts';
import { stageHead } from './stage.ts';

const description =
  'A media-processing API: send the URL of a video, audio file or photo, get a task, download a result that is exact to the frame. Hosted, or on your own machines.';

/** `/` for people. @param results The text of bench/RESULTS.md. */
export async function landingPage(context: Context, results: string): Promise<string> {
  const { config } = context;
  const { PUBLIC_URL } = config;
  const [here, pictures] = await Promise.all([examplesHere(context), picturesHere(context)]);
  const stageContext = { publicUrl: PUBLIC_URL, pictures, runs: readsItself(context) };
  const main = html`<div class="hero">
<h1>Cut, merge, caption and convert media with one JSON request</h1>
<p class="lead">${description}</p>
<p class="actions"><a class="button" href="/app">Get a key</a> <a class="button second" href="/docs">Read the documentation</a></p>
</div>
${showcase(here, stageContext)}
<h2 id="different"><a href="#different">What is different</a></h2>
${differenceList(readResults(results))}
<h2 id="operations"><a href="#operations">What it does</a></h2>
${operationList(operationNames)}
<h2 id="plans"><a href="#plans">Plans</a></h2>
<p>${config.BILLING === 'none' ? 'The operator of this service assigns the plans.' : 'One price per month. Tasks, minutes and traffic are not billed.'} <a href="/pricing">Compare all limits</a></p>
${planCards(config)}
<div class="halves">
<section><h2 id="own"><a href="#own">Run it yourself</a></h2>
<p>The whole service runs on one machine with Node 18 or newer, on Linux or macOS, or on Cloudflare. It is open source under the Apache
License 2.0, with every operation and without a license key. In the folder of the source, the first command runs three operations on a sample, the second one
the whole service on http://127.0.0.1:8787.</p>
${codeBlock('In the folder of the source', 'npm run demo\nnpm start')}</section>
<section><h2 id="agents"><a href="#agents">For agents</a></h2>
<p>Every operation is also an MCP tool with the same fields. For language models, <a href="/llms.txt">llms.txt</a> has the whole reference.</p>
${codeBlock('MCP client configuration', mcpConfig(PUBLIC_URL))}</section>
</div>`;
  return page({
    ...{ title: 'Spool · Media-processing API', path: '/', main },
    about: { publicUrl: PUBLIC_URL, description },
    head: html`${stageHead}
${productData(config, description)}`,
  });
}
