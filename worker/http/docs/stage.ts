import { html } from 'hono/html';
import { exampleMediaType } from '../../../schema/api/example-sources.ts';
import { type Example, examplesAt, posterOf } from '../../../schema/api/examples.ts';
import { operations } from '../../../schema/operations/index.ts';
import { anchorOf } from './paths.ts';
import type { Html } from './shell.ts';
import { requestTabs } from './tabs.ts';

/** What a page with results has in its head. */
export const stageHead = html`<link rel="stylesheet" href="/static/landing.css">
<script src="/static/landing.js" defer></script>`;

export interface StageContext {
  publicUrl: string;
  /** The pictures that were made. */
  pictures: ReadonlySet<string>;
  /** Whether tasks can read the sources of the examples, which this service serves. */
  runs: boolean;
}

/** A result, and the request that made it. */
export function stage(example: Example, { publicUrl, pictures, runs }: StageContext): Html {
  const { operation, title, sources } = example;
  const address = (file: string) => `${examplesAt('')}/${file}`;
  const links = sources.map(
    (file, index) => html`${index === 0 ? '' : ', '}<a href="${address(file)}"><code>${file}</code></a>`,
  );
  return html`<div class="stage">
<figure class="result">
${player(example, address(example.file), pictures)}
<figcaption>${title}. ${sources.length === 1 ? 'Source' : 'Sources'}: ${links}. <a href="/docs/examples#${anchorOf(operation)}">More examples</a></figcaption>
</figure>
<div class="request">
${requestTabs(`way-${anchorOf(operation)}`, operation, example.request(examplesAt(publicUrl)), publicUrl)}
${runs ? '' : html`<p class="hint">This service does not read files from itself. Put the address of a file of yours in their place.</p>`}
</div>
</div>`;
}

function player(example: Example, src: string, pictures: ReadonlySet<string>): Html {
  const { title } = operations[example.operation];
  if (exampleMediaType(example.file) === 'audio/mp4')
    return html`<audio src="${src}" preload="none" controls aria-label="${title}"></audio>`;
  const poster = pictures.has(posterOf(example)) ? `${examplesAt('')}/${posterOf(example)}` : null;
  return html`<video src="${src}"${poster === null ? '' : html` poster="${poster}"`} width="480" height="270" preload="none" playsinline controls aria-label="${title}"></video>`;
}
